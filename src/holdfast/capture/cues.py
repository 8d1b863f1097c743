"""The words by which a note's type is told, each with its weight; classifying.py weighs them.

    3     says by itself what the note is (“prefers”, “lesson”, “my manager”, “for now”)
    2     says it as a rule
    1     belongs to the subject of that type, or is heard in it more often than elsewhere
    0.5   a hint
    0     takes its words away from shorter cues (“looks like” is no liking)

What a sentence does outweighs what it is about: “never force-push” is about git and is still a lesson, so wishes, lessons and
moments weigh two and three, and the nouns of machines one. Words are whole words in lower case; `deploy*` is any word that begins
so. Scripts that are written without spaces, and Korean, whose endings grow on its words, are looked for as they stand.
"""

from __future__ import annotations

Weighted = dict[float, str]

SPACED: dict[str, Weighted] = {
    "PREF": {
        3: "prefer, prefers, preferred, preferring, preference, preferences, favourite, favorite, favourites, favorites, "
        "dislike, dislikes, hates, i hate, i like, i love, loves, likes, likes to, i'd rather, would rather, rather you, "
        "fan of, not a fan, from now on, call me, house style, my style, writing style, default to, gets annoyed, annoys, "
        "annoyed by, pet peeve, can't stand, unless i say, unless i ask, unless told otherwise, unless asked, hands off, "
        "is sacred, is partial to, has a soft spot, wants no, want no, no need to, don't bother, spare me, please don't, "
        "bevorzugt, bevorzuge, bevorzugen, am liebsten, mag lieber, mag keine, mag es nicht, lieber, je préfère, préfère, "
        "préférence, préfèrent, j'aime, aime pas, déteste, prefiere, prefiero, me gusta, le gusta, odia, odio, prefere, "
        "prefiro, gosto de, gosta de, odeia, preferisce, preferisco, mi piace, предпочитаю, предпочитает, нравится, "
        "не люблю, не любит, voorkeur, liever, houdt van, föredrar, woli, wolę, lubi, picky about, particular about, "
        "doesn't like, don't like, do not like, hates when, swears by, won't eat, more comfortable with, leans towards, "
        "i always, i never, i usually, i tend to, user corrected me, corrected me, corrects me, i read everything, "
        "wants daily, wants weekly, is a stickler, no hand-holding, hand-holding, values, asked me to stop, asked me not to, "
        "told me not to, speak to me, talk to me, won't use, refuses to, would never, appreciates, responds well to, "
        "irritated by, dislikes when, that's how he, that's how she, that's how i, is used to, insists that, likes it, "
        "how he likes, how she likes, doesn't trust, gets overwhelmed, overwhelmed by, are plenty, is plenty, "
        "ask instead of, instead of guessing, instead of picking, he says, she says, out of customer-facing, passive voice, "
        "signs emails, signs off with, non-negotiable, deal-breaker, pet hate, at his request, at her request, "
        "on request only, enjoys being, would appreciate, by preference",
        2: "please, don't want, doesn't want, do not want, does not want, wants, want you, i want, i'd like, he'd like, "
        "she'd like, we'd like, would like, enjoys, enjoy, habit, habits, usually, off limits, only ever, in favour of, "
        "tone, asked for, insists, insist, expects, skip the, tone of voice, left-handed, vegetarian, vegan, only if i, "
        "until i have said, when i say, when i write, when i ask, works best, comfortable with, uncomfortable, "
        "without asking, ask me before, ask before, ask first, show me, i need the, how i want, wishes, finds it, hates it, "
        "loathes, can do without, patronising, patronizing, pleasantries, small talk, compliments, flattery, emojis, emoji, "
        "exclamation marks, jargon, imperative mood, sentence case, title case, camelcase, snake_case, two-space, "
        "four-space, semicolons, trailing commas, line length, dark mode, dark theme, light mode, keybindings, oxford comma, "
        "bullet points, tl;dr, metric units, aisle window is enough for me, i think in, i read, no more than, at most, "
        "strictly no, always ask, always use, never use, always reply, always answer, never open, immer, niemals, bitte, "
        "nie, ohne zu fragen, möchte, will keine, wünscht, ne jamais, toujours, veuillez, s'il te plaît, sans me demander, "
        "siempre, nunca, por favor, quiere, quiero, mejor, sempre, antes de qualquer, por gentileza, evite, всегда, никогда, "
        "пожалуйста, хочу, хочет, altijd, nooit, graag, per favore, alltid, aldrig, zawsze, nigdy, proszę, cares about, "
        "doesn't mind, don't sugarcoat, sugarcoat, sparingly, as a rule, matters to me, tends to, in the habit, sticks to, "
        "is fine with, is okay with, rounded to, two decimals, plain text, one change per, cc'd, whenever it's, "
        "to be called, addressed as, pay by, perguntar antes, texte brut, is strict about, obsessed with, sensitive about, "
        "no surprises, drinks, only drinks, wears, terse, trade-offs, alternatives, 24-hour clock, auto-format, "
        "answer first, black and white, three lines, file by file, is fine, no pork, no alcohol, no meat, no nuts, spicy, "
        "gluten, kosher, halal, diet, eats no, doesn't eat, doesn't drink, early bird, night owl, no meetings, no calls, "
        "not before, not after, in the mornings, printable, printed, clean code, functional style, early returns, "
        "guard clauses, one-liners, comments in, docstrings, asked me to, told me to, approve every, has to approve, "
        "wants to approve, expects me to, requests that, should be at most, only where, step-by-step, copyable, "
        "subscription, bothers, the same question twice, dark backgrounds, backgrounds, handmade, needs to see, sees it, "
        "no more, needs everything, in writing, by email, by phone, in person, face to face, feels strongly, say what to do, "
        "should say, should read, should look, ambiguous, plenty, customer-facing, greeting, salutation, sign-off line, "
        "evenings, weekends off, no weekends, breaks, slowly, loudly, quietly, simple language, simple words, no acronyms, "
        "spelled out, abbreviations, capital letters, lower case, upper case",
        1: "always, never, stop, avoid, don't, do not, instead of, rather than, style, concise, brief, short answers, "
        "paragraphs, theme, wording, spelling, headings, font, fonts, colour, color, colours, colors, indent, indentation, "
        "tabs, spaces, columns, commit messages, commit message, comments, reply, replies, answers, suggestions, "
        "recommendations, recommend, explanation, explanations, sketch, diagram, diagrams, rounded numbers, "
        "spreadsheet formulas, coffee, tea, taste, shortcuts, popups, notifications, ideally, everywhere, narrate, "
        "apologising, apologizing, introduction, introductions, summary, summaries, overview first, level of detail, "
        "verbose, formal, informal, casual, friendly, warm, direct, honest, polite, politely, in german, in english, "
        "in french, in spanish, in chinese, in japanese, plain english, imperative, under 50 characters, nicht, ohne, kurze, "
        "kurz, courtes, courte, réponses, cortas, corto, antwort*, respuestas, kein, keine, überschriften, коротк*, jamais, "
        "pas de, sin, sem",
    },
    "PROJ": {
        3: "project, projects, milestone, milestones, roadmap, sprint, backlog, mvp, deliverable, deliverables, kickoff, "
        "kick-off, feature freeze, release candidate, acceptance criteria, out of scope, in scope, deadline, go live, "
        "go-live, goes live, we are building, we're building, working on a, goal for, we decided, we chose, team agreed, "
        "agreed to ship, decision, plan is to, the plan is, we're replacing, we are replacing, we are rewriting, "
        "we're rewriting, next milestone, projekt, meilenstein, projet, objectif, lancement, proyecto, projeto, progetto, "
        "проект, релиз, дедлайн, objetivo, project is, objective, objectives, next up, statement of work, in development, "
        "under development, okr, okrs, kpi, kpis, target date, venue booked, open tasks, second edition, readiness, "
        "is scheduled for, scheduled for, kicked off, wrapping up, wraps up, client rejected, customer rejected, they want, "
        "client asked, customer asked, focus of the team, features left, current focus, our focus, targeting, is out, "
        "sign-ups, signups, postpone, to postpone, plugin store, sales wants, marketing wants, users want, support wants, "
        "management wants, board wants, decided against, scheduled for week, permit, are merging, lancio, previsto, выйдет, "
        "бета-версия",
        2: "launch, launched, launches, launching, relaunch, release, released, releasing, beta, alpha, prototype, pilot, "
        "phase, budget, is due, due on, due by, ship, shipped, ships, shipping, on hold, blocked on, behind schedule, "
        "weeks behind, days behind, this quarter, next quarter, next release, next version, first version, rewrite, "
        "redesign, rebrand, renovation, scope, goal, goals, target, planned for, postponed, moved from, chapters, chapter, "
        "manuscript, thesis, client wants, customer wants, decided, chose, agreed, approved, accepted, signed off, "
        "conversion, stakeholders, stakeholder, owns the, open question, repo lives, repository is, repo is, main branch, "
        "percent done, took over, takes over, hackathon, grant, funding, tender, timeline, schedule, requirements, "
        "requirement, user stories, epic, epics, season two, season one, comes next, goes first, come next, done up to, "
        "is done, are done, up to section, up to chapter, two thirds, three quarters, halfway, half done, still missing, "
        "are missing, is missing, still needs, needs to be in by, has to be in by, in by the, extended by, extended until, "
        "open-source the, open source the, roll out, rollout, rolled out, hand over, handover, campaign, exhibition, "
        "conference talk, got accepted, slides needed, translation of, extension for, printing starts, starts once, "
        "test it after, beschlossen, veröffentlichen, starten, frist, fertig, handbuchs, handbuch, prévu, prévue, maquette, "
        "trimestre, lanzamiento, retraso, plazo, fase, temporada, tendrá, lançamento, prazo, бюджет, перенесли, запуск, "
        "этап, готов*, kapitel, übersetzung, traduction, traducción, tradução, перевод, livraison, entrega, next step, "
        "next steps, remaining work, shortlist, undecided, picked, selected, volunteers, churn, retention, revenue, "
        "initiative, programme, wireframes, mockups, blocker, blockers, blocked by, awaiting, sign-off, complete, completed, "
        "moving the, moving to, moving from, migrating to, we killed, we dropped, cancelled, canceled, delayed, "
        "sprint review, demo, signed the, will be replaced, terminée, bloqueado pela, agreed on, in negotiation, fundraiser, "
        "opening is, reopening, in design, design review, are converted, is converted, converted, feature list, guests, "
        "caterer, venue, invites, batches of, publisher, started the migration, started on, starts on, starts in, is live, "
        "are live, soft launch, early access, content migration, to do list, remaining, outstanding, left to do, we cut, "
        "we added, we removed, we renamed, replaced by, is replaced, outsourced, insourced, spin off, acquisition, "
        "partnership, sponsor, sponsors, funded, approved by, focus, mock-up, rejected, funding is, offer is, bid, "
        "starts with, follows in, rewriting, benchmark goal, settled, go-to-market, early adopters, law firms, waitlist, "
        "onboarding, first users, paying users, users in week, in week one, is planned, are planned, will follow, "
        "to be decided, tbd, tentative, draft is ready, version two, version three, signed up, shipped to, of users, "
        "related work, paper, active users, conversion of, delivered, redesign shipped, permits, inspection, groundbreaking, "
        "rollout to, closed beta, open beta, клиентов, в декабре, sito, выпуск, план, планируем, этапе",
        1: "migration, migrate, migrating, app, website, site, shop, feature, features, ticket, tickets, plan, plans, "
        "planning, announce, marketing, pricing, customer, customers, client, clients, product, contract, legal, january, "
        "february, march, april, june, july, august, september, october, november, december, spring, autumn, week, weeks, "
        "month, months, q1, q2, q3, q4, quarter, year end, end of year, dashboard, newsletter, podcast, book, course, "
        "importer, support for, audit, internal name, vendor, supplier, design, progress, drafted, draft of, episodes, "
        "episode, mode, season, survey, handbook, forms, section, slides, talk, logo, invoice, hosting, version 2, "
        "version 3, investors, licence, license, market, partners, district, districts, museum, catalogue, collection, "
        "recruitment, hiring plan, märz, septembre, kunden, clientes, septiembre, setembro, сентябрь, juego, jeu, spiel, "
        "idea, vendors, comparing, summer, winter, privacy review, booking flow, checkout, accessibility, inventory, "
        "loyalty, volunteers, schools, chain, launch date, competitor, competitors, users want, participants, curriculum, "
        "tour, concert, prototype, wedding, event, fair, festival, opening, premiere, school, clinic, garden, house, "
        "kitchen, bathroom, moving house, trip, itinerary, readiness, compliance, certification, translations, load test, "
        "content",
    },
    "TECH": {
        1: "port, ports, localhost, endpoint, endpoints, env, environment variable, config, configs, configuration, "
        "connection string, http, https, tls, ssl, tcp, udp, ip, dns, dhcp, ssh, ftp, smtp, imap, cron, docker, podman, "
        "kubernetes, k8s, helm, nginx, apache, traefik, caddy, redis, postgres, postgresql, mysql, mariadb, sqlite, mongodb, "
        "kafka, rabbitmq, elasticsearch, clickhouse, terraform, ansible, systemd, webpack, vite, node, npm, pnpm, yarn, pip, "
        "uv, conda, python, typescript, javascript, rust, golang, java, kotlin, swift, ruby, php, perl, haskell, c++, c#, "
        "xcode, gradle, cmake, makefile, api, apis, sdk, cli, graphql, grpc, rest, websocket, webhook, webhooks, oauth, "
        "oauth2, saml, ldap, jwt, cookie, cookies, json, yaml, toml, xml, csv, parquet, protobuf, bom, utf-8, ascii, schema, "
        "regex, mutex, thread, threads, ttl, timeout, timeouts, retries, backoff, rate limit, queue, queues, worker, "
        "workers, database, databases, db, table, tables, index, indexes, indexed, primary key, primary keys, foreign key, "
        "partition, partitions, shard, replica, replicas, sequence, transaction, bucket, container, containers, cluster, "
        "ingress, proxy, proxies, load balancer, vpn, kernel, firmware, driver, drivers, gpu, cpu, ram, ssd, nas, raid, "
        "raspberry, arduino, esp32, ubuntu, debian, alpine, fedora, linux, macos, windows server, android, ios, compiler, "
        "compiled, compile, runtime, middleware, parser, linter, mypy, ruff, eslint, embedding, embeddings, vector, cosine, "
        "latency, throughput, checksum, hash, hashed, encoding, mqtt, zigbee, lorawan, bluetooth, ipp, usb, hdmi, s3, gcs, "
        "ec2, lambda, iam, gateway, router, switch port, vlan, subnet, firewall, certificate, sensor, sensors, big-endian, "
        "little-endian, int16, int32, uint8, float32, bit, bits, bytes, byte, baud, pixel, pixels, resolution, "
        "sampling rate, samples, render, renders, pipeline, backend, frontend, latex, blender, unity, unreal, metal, cuda, "
        "opencl, vulkan, opengl, can bus, modbus, plc, printer, camera, microcontroller, voltage, frequency, server, "
        "servers, logs, log files, backup, backups, column, function, functions, class, module, modules, library, libraries, "
        "package, packages, dependency, dependencies, script, scripts, command, flag, flags, setting, settings, returns, "
        "response, request, requests, header, headers, token, tokens, auth, callback, service, services, job, jobs, "
        "subdomain, tenant, hostname, url, urls, runner, stack trace, datenbank, zertifikat, speicher, drucker*, "
        "etikettendrucker, conteneur, serveur, servidor, sensores, autenticação, base de données, banco de dados, "
        "база данных, порт*, сервер, кодировк*, databas*, vm, cdn, cloudfront, github actions, gitlab, jenkins, collation, "
        "register, registers, metrics, prometheus, grafana, monorepo, turborepo, dialect, bigquery, snowflake, partitioned, "
        "case-insensitive, log level, payload, binary, socket, daemon, heap, garbage collector, async, coroutine, keychain, "
        "resized, scrapes, deploys, addresses, opcua, lidar, thermostat, heat pump, inverter, breaker, bootloader, uefi, "
        "bios, dtls, vpc, roteador, endereços, codec, bitrate, mp3, mp4, pdf, svg, png, jpeg, webp, sla, dimm, i2c, spi, "
        "uart, gpio, tokenizer, checkpointing, quantized, fp16, bf16, onnx, pytorch, tensorflow, numpy, pandas, spark, "
        "airflow, dbt, tailscale, wireguard, vps, polling, inbound, outbound, traffic, swap, relay, etl, lake, cors, hmac, "
        "sha256, signature, signatures, refresh token, access token, lifetime, quantised, context window, pytest, marker, "
        "markers, reindex, read replica, internal, laptop, workstation, monitor, cable, valve, controller, sampling, filter, "
        "protocol, namespace, pod, pods, cronjob, secret manager, key vault, feature store, edge, origin, pagination, "
        "cursor, offset, batch size, learning rate, epochs, seed, prompt, temperature, http client, iterations, celery, "
        "pyright, strict mode, type checking, pgbouncer, haproxy, charger, kw, kwh, ocpp, topic, dpi, argon2id, bcrypt, aes, "
        "rsa, ed25519, gzip, brotli, sandbox, emulator, simulator, service account, retry-after, http 404, status code, "
        "changelog format, semver, tag format, monospace, viewport, breakpoints, css, html, tailwind, django, flask, "
        "fastapi, rails, spring, express, nextjs, svelte, vue, angular, react, htmx, wasm, llm, ollama, quant, inference, "
        "dataset, tokens per second, iso, cores, zfs, btrfs, mirror, connector, wh, scopes, bounce, postmark, sendgrid, "
        "wkhtmltopdf, jest, vitest, cypress, playwright, selenium, feature flag, build agent, pdf generation, porta, логи, "
        "ротация, restore point, snapshotting, dump, mysqldump, pg_dump, rsync, rclone, cronjobs, systemd unit, dockerfile, "
        "compose file, registry, artifact, artifacts, cdn url",
        0.5: "default, defaults, build, builds, file, files, folder, directory, path, version, field, fields, type, types, "
        "method, option, body, runs, rotate, rotates, generated, stored, expires, loads, reads, uses, exposes, listens, "
        "mounts, requires, supports, bundled, capped, nodes, memory, disk, seconds, ms, gb, mb, kb, utc, timezone, locale, "
        "charset, nightly, staging, production, prod, local, environment, environments, ci, repository, branch, commit, box, "
        "host, hosts, address, over raw, arrive as, divide by, speaks, spricht, läuft, lauscht, liegt, tourne, configuré, "
        "expire, usa, devolve, envían, работает, is based on, comes from, come from, numbered by, terminates, replicates, "
        "degrees",
    },
    "LESSON": {
        3: "lesson, lessons, lesson learned, learned, learnt, mistake, mistakes, next time, root cause, turns out, "
        "turned out, gotcha, gotchas, watch out, postmortem, post-mortem, retrospective, the hard way, should have, "
        "shouldn't have, would have prevented, would have caught, would have shown, would have saved, would have been, "
        "could have been avoided, never again, not again, bit us, cost us, cost me, what worked, what didn't, in hindsight, "
        "hindsight, takeaway, misread, misunderstood, underestimated, overestimated, was an error, was a mistake, was wrong, "
        "were wrong, the right call, do not repeat, don't repeat, do this more often, pitfall, pitfalls, beware, "
        "anti-pattern, backfired, careless, learned that, we learned, note to self, for the future, wiser, lehre, gelernt, "
        "beim nächsten mal, nächstes mal, hätten wir, hätte, leçon, appris, la prochaine fois, aurait dû, lección, "
        "aprendimos, aprendí, la próxima vez, no repetir, debimos, lição, aprendemos, da próxima vez, deveríamos, урок, "
        "в следующий раз, оказалось, надо было, lezione, la prossima volta, volgende keer, nästa gång, found out that, "
        "found out the hard, live and learn, we should have, i should have, teria, bad idea, made everything worse, "
        "made everything, rule from the incident, was not the, off-by-one, up front, wasted hour, wasted day, never worked, "
        "how to avoid, won't do that again, glad we, luckily we, good that we, regret, regretted, taught us, taught me, "
        "never trust, saved us from, almost always the, usually means, nine times out of ten, usual suspect, exposed a, "
        "led us to, made us realise, made us realize, we realised, we realized, realised too late, realized too late, "
        "by hand, my mistake was, painless, it truncates, it deletes, it overwrites, against staging, against production, "
        "причина, l'errore, надо следить, надо проверять, avrebbe",
        2: "broke, broken, breaks, crashed, crash, crashes, failed, fails, failure, failures, lost, wiped, destroyed, "
        "killed, corrupted, overwrote, outage, incident, wasted, forgot, forgetting, forgotten, assumed, assuming, "
        "assumption, caused, causes, led to, leads to, because the, because nobody, the problem was, were the problem, "
        "was the problem, was the culprit, culprit, fixed it, the fix was, the fix is, the reason was, bug, bugs, flaky, "
        "regression, rollback, rolled back, took down, silently, nobody told, nobody checked, rounding errors, went badly, "
        "went wrong, wrong by, don't trust, do not trust, before debugging, saved us, idempotent, by accident, accidentally, "
        "invents, invented, hallucinates, hallucinated, froze, frozen, hung, stalled, fell off, fell over, fell apart, "
        "slipped, leaked, overheated, jammed, melted, cracked, flooded, burned, burnt, spoiled, ruined, missed the, "
        "was missed, too late, too early, too much, too many, too small, too fast, in vain, for nothing, turned into, "
        "double-check, double check, measure before, measure first, test first, times faster, times slower, worked better, "
        "works better than, helps more, was the fix, made it worse, made things worse, was careless, was too, were too, "
        "fehler, gekostet, verloren, abgefallen, kaputt, vergessen, hält nicht, erreur, perdu, oublié, vérifier, échoué, "
        "perdimos, falló, fallo, se perdió, probar con, erro, perdemos, falhou, esquecemos, verificou, ошибка, потеряли, "
        "сломал*, забыли, errore, perso, dimenticato, downtime, leak, memory leak, died, hid the, load tested, test against, "
        "reviewed properly, don't get reviewed, don't promise, arrondi, arredondamento, deu erro, didn't work, did not work, "
        "didn't help, no effect, wasn't enough, was not enough, ignored the warning, ignored, undetected, unnoticed, "
        "went unnoticed, the trick is, the trick was, key insight, it pays to, is worth it, was worth it, not worth it, "
        "vague, hid the real, produced wrong, tried to, left out, add a test, instead of reading, real error, bug in, "
        "misconfigured, mismatch, overlooked, skipped the, jumped to, guessed, guessing, rushed, hasty, without testing, "
        "without checking, without a backup, untested, paid off, pays off, more reliable than, faster than, race condition, "
        "deadlock, disconnects, almost always, hot-fix, hotfix in, took hours, took days, find out what, finds twice, "
        "last year, was off, off because, broken release, wrong thing, on red, exposed, path traversal, random, "
        "intermittent, sporadic, underpowered, too optimistic, overcomplicated, premature, cause of, too cold, too hot, "
        "too slow, too short, too long, in time, never used, regenerate, before polishing, in a loop, after switching, "
        "trusting, truncates, сбоя, сбой, n+1, bottleneck, backlash, complaints, misunderstanding, unclear requirements, "
        "scope creep, single point of failure",
        1: "never, always, check, make sure, ensure, don't, instead, again, tested, escape, undo, wrong, problem, error, "
        "errors, error message, issue, issues, stale, expired, prevented, careful, all along, only broke, real data, twice, "
        "overnight, the whole weekend, angry, delay, verify, must be, must not, must never, does not hold, saves, silent, "
        "since, because, after three, without a, had to, ended up, we shipped, we trained, i assumed, promised, letting, "
        "backups fail, toujours, venait, antes de, causou, aconteceu, zuerst, ohne backup, без, ahora mantenemos, "
        "prometimos, parce que, porque, weil, потому что, never store, real thing, early, meant, hid, before the last, cost, "
        "only then, eventually, it took, rule, before the demo, the real, reason, why it",
    },
    "PEOPLE": {
        3: "my manager, my boss, my wife, my husband, my sister, my brother, my mother, my father, my mom, my dad, my son, "
        "my daughter, my partner, my colleague, my co-founder, my therapist, my doctor, my lawyer, our accountant, "
        "our lawyer, our contact, user's wife, user's husband, user's daughter, user's son, name is, is called, are called, "
        "reports to, they/them, joined as, joined us, joined the team, parental leave, maternity leave, works as, works at, "
        "works for, in charge of, stands in, contact at, contact in, contact person, point of contact, co-founder, "
        "cofounder, used to work, introduced us, birthday is, his wife, her husband, mother tongue, grew up in, "
        "native speaker, the twins, ansprechpartner*, heißt, mein chef, meine chefin, meine frau, mein mann, mon frère, "
        "ma soeur, ma sœur, mon chef, appelle, se llama, se chama, nuestra contable, mi jefe, mi hermana, mi hermano, "
        "es la única, es el único, меня зовут, зовут, мой начальник, бухгалтер, si chiama, onkel, tante, heet, heter, "
        "product owner, scrum master, new hire, new hires, goes by, former colleague, our vet, notre vétérinaire, "
        "antiga colega, from procurement, from legal, from finance, from hr, from sales, from marketing, from accounting, "
        "from operations, from support, from infra, from qa, from it, classmate, year-old, is dating, hearing aid, "
        "chief of staff, vendor rep, own the building, is married, is engaged to, went to school with, old friend, "
        "best friend, ex-colleague, their kids, her kids, his kids, monthly calls, heads the, person to ask, best person, "
        "is studying, partner manager, on-call engineer, founded the company, retired electrician, our ceo, our cto, "
        "our founder, the founder, left the team, replaced by, brother-in-law, sister-in-law, son-in-law, daughter-in-law, "
        "successor is, her successor, his successor, deputy is, our contact at, has a son, has a daughter, has two kids, "
        "has three kids, commercialista, менеджера зовут",
        2: "manager, boss, ceo, cto, cfo, coo, vp, colleague, colleagues, coworker, intern, interns, accountant, lawyer, "
        "attorney, judge, notary, designer, engineer, developer, dba, teacher, professor, doctor, dentist, nurse, "
        "cardiologist, therapist, physio, plumber, carpenter, gardener, janitor, caretaker, landlord, landlady, neighbour, "
        "neighbor, coach, trainer, assistant, secretary, freelancer, consultant, recruiter, investor, supervisor, "
        "supervises, mentor, reviewer, maintainer, maintains the, editor is, translator, photographer, illustrator, "
        "architect is, pastor, priest, mayor, minister, wife, husband, daughter, son, sister, brother, mother, father, mom, "
        "dad, grandma, grandpa, grandmother, grandfather, aunt, uncle, cousin, niece, nephew, twin, twins, girlfriend, "
        "boyfriend, friend, friends, partner, head of, team lead, support lead, hr, based in, lives in, lives on, moved to, "
        "comes from, left the company, allergic, knows the, knows every, ask him, ask her, introduced, met, cats, dog, "
        "pronouns, handles, looks after, married, engaged, colour-blind, color-blind, signs off, reachable, spare key, "
        "get along, known for, part time, retired, chef, kollege, kollegin, arbeitet, sitzt in, kennt, frau, herr, "
        "responsable, travaille à, infirmier, trabaja desde, trabaja en, trabaja media, contable, engenheiro, engenheira, "
        "da equipa, veio, начальник, коллега, офисе, работает в, responsabile, juge, juez, richter, richterin, abogado, "
        "avocat, médico, ärztin, arzt, vet, procurement, approves, reviews all, plays, waters, former, works two, "
        "works remotely, vétérinaire, docteur, trabalha no, trabalha na, colega, hobby, hobbies, her son, his son, "
        "her daughter, his daughter, her mother, his father, speaks, fluent in, originally from, studied, phd, ex-wife, "
        "roommate, flatmate, babysitter, chef is, cook is, driver is, dating, mayor's, rep is, brother's, sister's, wife's, "
        "husband's, decides, executes, nurse from, designer from, engineer from, teacher from, lives with, shares an office, "
        "sits next to, took over from, successor, predecessor, deputy, vice, chairman, chairwoman, president, treasurer, "
        "volunteer coordinator, organiser, organizer, host is, guest speaker, agent is, broker, realtor, mechanic, barber, "
        "babysits, aged, years old, born in, nationality, surname, nickname, known as, aka, studying, payroll, on-call, "
        "speaks no, wrote the, founder, ceo's, plays for, volunteers at, member of, chairs the, sits on, represents, "
        "spokesperson, counterpart, liaison, stepfather, stepmother, godfather, fiancé, fiancée, in-laws, mother-in-law, "
        "father-in-law, grandson, granddaughter, specialised in, specialized in, tenant on, second floor, the intern, "
        "print shop, bakery, on whatsapp, prefers whatsapp, by whatsapp, stepbrother, half-sister, widow, widower, "
        "pensioner, student at, lecturer, surgeon, pharmacist, florist, baker, butcher, farmer, pilot is",
        1: "he, she, her, his, him, contact, team of, who, office, joined, mr, mrs, ms, dr, prof, named, called, birthday, "
        "company, party, decides, née, elle, lui, ella, er, sie, она, он, family, studio, university, hospital, ministry, "
        "appointments, ext, leads, runs the, built the, access to the",
    },
    "TEMP": {
        3: "right now, at the moment, at this moment, for now, for the moment, for this session, this session, "
        "this conversation, just for today, only today, today only, temporarily, temporary, brb, afk, waiting for the, "
        "waiting on, waiting for a, remind me in, in an hour, in half an hour, back in, still running, left off at, "
        "currently looking, currently reading, currently open, on hold with, scratch, can be deleted, remove before commit, "
        "until lunch, after lunch, until noon, try again in, retry in, in ten minutes, in a minute, in a few minutes, "
        "in a bit, this morning, this afternoon, this evening, later today, tonight, tonight's, in a meeting, on the train, "
        "on the bus, on my way, on the phone, in a call, minutes left, workaround for now, in the queue, for a quick test, "
        "for an experiment, after the next restart, waiting room, on silent, shortly, any minute, about to, just now, "
        "a second ago, until reboot, until restart, gerade, vorübergehend, im moment, zurzeit, momentan, heute abend, "
        "gleich, en ce moment, pour l'instant, juste pour aujourd'hui, tout à l'heure, ahora mismo, por ahora, de momento, "
        "en un rato, por enquanto, só hoje, agora mesmo, daqui a pouco, сейчас, пока что, временно, per ora, "
        "in questo momento, op dit moment, just nu, teraz, away from keyboard, for this task, stuck at, another window, "
        "pick this up, park the, en panne, de novo daqui, on my screen, on screen now, still downloading, still uploading, "
        "still compiling, i'm at the, i am at the, i'm on the, i'm in the, holding off, session note, current error, "
        "current file, active file, working directory is, on the other screen, mid-refactor, mid-rebase, give me five, "
        "give me a minute, give me a second, he's home, she's home, i'm home, when i'm back, until ci, is driving, "
        "waiting for approval, awaiting ci, is dirty, network is down, is warm at, a minute ago, minutes ago, an hour ago, "
        "for this run, still red, not sent yet, is looking at, is reading, is typing, on another call, just crashed, "
        "restarting, i'm on the train, expires tonight, rate limiting us, unsent, went to lunch, out for lunch, "
        "gone for lunch, at lunch, logged in on my, second screen, resume afterwards, resume later, tonight only, "
        "leaving in, on my way out, be right back, picking up the kids, status page is red, in riunione, rispondo dopo, "
        "ещё идёт, подожди",
        2: "currently, now, today, soon, paused, placeholder, clipboard, stash, uncommitted, waiting, in review, is open, "
        "checked out, eta, compiling, downloading, uploading, loading, charging, cooling, boiling, baking, rendering, "
        "syncing, downloaded, disabled the, turn it back on, switching back, turn it off again, answer later, for the next, "
        "until it, is down, connection is, battery, hotspot, parking spot, booked until, rerun, in the browser, "
        "second terminal, tab with, percent left, is locked, locked by, no result yet, headache, asleep, keep it slow, "
        "wrap it up, build number, try it, trying out, guest account, timer, until she returns, until he returns, "
        "sitting in, standing in, in the car, at the airport, boarding, wartezimmer, heute, in einer stunde, aujourd'hui, "
        "réessayer, réessayez, dans dix minutes, hoy, esperando, reintentar, bloqueado, hoje, сегодня, позже, в поезде, "
        "oggi, sitze, is away, until about, open in, half way through, halfway through, out of office, wait for, "
        "tentar de novo, is out today, not reachable, offline, unavailable, is busy, snoozed, pending reply, next is the, "
        "still use the, other screen, when he's, when she's, network is, open on, mid, wip, hold on, one moment, one sec, "
        "hang on, almost done, nearly done, in flight, running late, stuck in traffic, offline today, sick today, is sick, "
        "will look at it, unstaged, staged changes, detached head, merge conflict in, breakpoint, debugger is, fixing the, "
        "not yet, yet to be sent, back at, stepping out, grabbing, lunch break, on break, about half way, ongoing, "
        "crashed a, rebooting, reconnecting, retrying, re-running, rerunning, went to, gone for, out for, afterwards, "
        "staged, pasted, pasted the, second monitor, boarding now, restoring, restore is, importing now, exporting now, "
        "is busy until, dopo, adesso, минут",
        1: "until, later, afterwards, still, terminal, window, windows, running, moment, tomorrow, copied, desktop, pop it, "
        "paste, noon, test user, falling, continue, arrive, guests, quickly, retry, restart, gone after, left, half the, "
        "open it, im zug, zug, kann nur, ignorer, termine, поезд*, связь",
    },
    "": {
        0: "od teraz, od tej pory, "
        "looks like, something like, like this, would like to know, no longer, not only, not yet, type of, kind of, "
        "in order, as soon as, first name, user name, username, time zone, default branch, due to, log in, class of, "
        "first class, now on, meeting room, waiting list, contact form, users like, error handling, project root, "
        "project folder, unity project, unreal project, release notes, dark web, friends list, runs on, now runs, now uses, "
        "until now, merge request, pull request, unique index, table tennis, user story, mid october, mid january, "
        "mid march, mid june, early access, off by default, on by default, not the default, load test, case study, "
        "free trial, three phase, is done by, done by, default branch is, errors for this, error rate, not in a separate, "
        "user-supplied, a name is, pilot school",
    },
}  # fmt: skip

UNSPACED: dict[str, Weighted] = {
    "PREF": {
        3: "喜欢 不喜欢 更喜欢 最喜欢 偏好 偏爱 讨厌 习惯 风格 口味 爱用 不爱 倾向于 以后别 以后不要 以后请 从现在起 "
        "从今以后 默认用 很烦 反感 看不惯 受不了 习惯用 好き 嫌い 好む 好みは 苦手 ほうがいい 方がいい 선호 좋아 싫어 先问我 "
        "问过我 更愿意 不喜欢被 不能接受 回答语言 保留英文 先给结论 用餐 优缺点 不要自动 不喝酒 汇报 给理由 纠正我 纠正过我 "
        "让我别 过目 别像 像同事一样 最讨厌 问两遍 不习惯 更习惯 看重 讲究 啰嗦 废话 一步一步 就问我 不要自己 会烦 落款 就够 "
        "要写清楚 一律用 别自作主张 先问一下 不用客气",
        2: "请 尽量 一律 最好 不要 别用 别再用 必须我 我一般 希望 不希望 要求 除非我 先给我看 给我看 客套 只要 而不是 宁愿 "
        "总是 通常 不要推荐 叫我 称呼我 不要用 只用 不吃 吃素 语气 缩进 分号 祈使句 不超过 别自动 少用 多用 不加 统一用 "
        "统一成 统一发 ください 不要です してほしい 必ず いつも ないでほしい よりも 箇条書き 항상 하지마 쓰지마 해주세요 "
        "말아 直接一点 委婉 位小数 注解 能吃辣 几种方案 后给 黑白打印 二十四小时制 言简意赅 直说 不打断 提前告诉我 给选项 "
        "最多 每次都 都要他 都要我 都要她 务必 不必 免了 想要 简洁 口语化 正式一点 详细一点 列表 表格形式 分点 直接复制 "
        "周末不 晚上不 每封 记得要 称呼 写清楚 称谓 措辞 字体 字号 排版 颜色 简体 繁体 语速 不要超过 只给",
        1: "简短 表情符号 表情 主题 深色 格式统一 注释 命名 例子 回复 先看 不用 别 短く 敬語 英語で 日本語で 返事 コメント "
        "한국어로 짧게 메시지는 无烟 高楼层 弹窗 统一",
    },
    "PROJ": {
        3: "项目 里程碑 路线图 迭代 需求 上线 截止 交付 立项 本季度 我们决定 一致同意 范围 灰度 预算 延期 正在开发 二期 一期 "
        "三期 进展 目标是 经费 试用 プロジェクト 納期 目標 フェーズ リリース予定 公開する まで完了 프로젝트 목표 출시 마감 "
        "일정 下一步 选了 签了 第一阶段 목표는 계약이 状态 改名 砍掉 婚礼 定在 待办 已经改完 评审中 启动 候补名单 开工 验收 "
        "改完 推迟 重点是 投标 标书 否了 目前的重点 还剩两个 资金到位 暂缓 试运行 上架 首发 定稿 封版 融资 决定不用 签约 "
        "放量 还差 季度末 活跃用户 已签约 培训",
        2: "目标 版本 发布 决定 计划 预计 改版 演示版 客户希望 客户要求 合同 招标 初稿 论文 合并 接手 仓库地址 代号 设计稿 "
        "内测 公测 试点 第一版 下个版本 下一版 年底 春节前 月底 装修 报价 外包 决策 年内 来年 分期 进度 完成 还有 剩下 还差 "
        "延长 替换 先行 第二季 翻译 予定 公開 残りは 翻訳 完了 기한 계획 결정 改造 迁到 完成了 供应商 合作 筹备 招募 开幕 "
        "排期 评审 审查 단계 개선 场地 已订 客人 压测 改为 名额 出版社 第二版 搬家 活动 赞助 报名 排练 展览 重点 资金 方案 "
        "规划 阶段 注册 用户引导 收费 开源 首批 推广 功能： 已上线 已写好 想要更 做完 目标用户 相关工作 实验 转化率 增长 "
        "招商 开业 施工 图纸 审批通过 中标",
        1: "功能 迁移 小程序 官网 商城 系统 导出 多语言 市场部 文案 下周 三月 交给 第二 预约 模块 手册 调查 应用 "
        "予約システム 결제 분기",
    },
    "TECH": {
        1: "端口 接口 数据库 服务器 配置 配置文件 环境变量 缓存 队列 日志 镜像 集群 节点 索引 字段 主键 字符集 编码 时间戳 "
        "时区 协议 定时任务 表达式 响应体 回调 内存 显存 前端 后端 心跳 重启服务 依赖 编译 构建必须 框架 函数 算法 向量 维度 "
        "推理 内网 外网 域名 代理 转发 乱码 过期时间 传感器 大端 小端 打印机 序列 像元 分辨率 采样 读出 最低支持 固件 驱动 "
        "网关 路由 证书 带宽 线程 并发 微米 摄氏 データベース サーバー ポート タイムゾーン 設定ファイル キャッシュ カメラ "
        "画素 ビット マイクロ 서버 포트 데이터베이스 설정 우분투 캐시 请求头 令牌 压缩 分发 自动部署 分配地址 日志级别 "
        "路由器 部署在 调用 钥匙串 로그 환경 防火墙 入站 出站 流量 轮询 副本 只读 有效期 跨域 继电器 水泵 分区 签名 主机 "
        "交换 上下文 量化 磁盘阵列 备份到 同步到 端到端 哈希 扫描仪 输出 存到 千瓦 三相 充电桩 默认分支 前面挂 以上的驱动 "
        "命名空间 迭代次数 类型检查 状态码 数据集 推理速度 图形 显卡 网卡 交换机 电压 频率 波特率 构建机 四核 八核 退信 瓦时 "
        "接口是 带时区 硬盘 固态 镜像站 主板 电源 协程 索引库 网段 子网",
        0.5: "默认 测试环境 生产环境 返回 版本会 打包 存储 类型是 生成 每天 凌晨 格式为 格式是 参数 命令 脚本 环境 本机 内核 "
        "批大小 基于 地址 连接 使用 除以 数据是 사용 にある 設定 サイズ",
    },
    "LESSON": {
        3: "教训 踩坑 踩过 经验 下次 总结 复盘 根本原因 原来 结果返工 再也不 千万不要 千万别 别再 不要再 吸取 反思 才发现 折腾 "
        "高估 低估 以为 其实不 后来证明 以后要 草率 早知道 吃一堑 教訓 反省 次回は 次回 原因は 原因 失敗 べきだった 止まった "
        "교훈 다음부터 실수 잃었다 원인은 结果停机 悄悄失败 没调低 才知道 没想到 吃亏 这样做不行 지워서 잃었 馊主意 白白 "
        "藏起来 问题出在 全错 等于浪费 凭记忆 含糊 差一 后悔 幸好 好在 才明白 暴露了 没过就 坏版本 断连 好几个小时 宕机之后 "
        "学到 以免 否则会 不然会 害得 之后才 避免做错 吃过亏 没人及时 手工合并 重新生成 会清空 太冷 不小心 误删",
        2: "导致 失败 报错了 错了 出错 错误 故障 事故 回滚折腾 返工 漏掉 差点 没问清 没有确认 没人知道 打挂 覆盖了 满了 "
        "过期没 花了 浪费 问题只有 必须加 应该用 应该先 编造 核对 先查 先写测试 生气 比反过来 卡住 混进 掉了 粘不住 变成了 "
        "崩了 挂了 丢了 忘了 太晚 太多 太早 バグ だった 漏れ しない方 忘れ 확인하자 오류 백업 停机 悄悄 应该先做 没人认真 "
        "控制在 承诺 删了 压力测试 不一样 漏了 补个测试 记日志 没去读 越改越 更糟 没用 不靠谱 忽略 疏忽 大意 应当 竞态 宕机 "
        "查了 直接改 是因为 原因在于 随机 应该等 上次查 明白 坏了 白干 踩雷 教训是 清空 预加载 太热 太慢 太快 太急 不及时 "
        "误会 投诉 瓶颈 循环里 页面慢",
        1: "一定要 检查 要用 要按 要选 之前先 误差 真实数据 提前 至少要 结果 这次 上次 再这么 不能只 避免 必须 確認 꼭 "
        "しない 事前に",
    },
    "PEOPLE": {
        3: "老板 经理是 负责人 对接人 联系人 同事 我妈 我爸 我女儿 我儿子 我老婆 我老公 我妻子 我丈夫 我姐 我哥 我弟 我妹 "
        "的妻子 的丈夫 的女儿 的儿子 入职 离职 实习生 房东 导师 产假 代班 律师 会计 名字叫 老板姓 一只叫 物业 母语 长大 "
        "双胞胎 法官 隔壁 出了名 さん 担当者 妻の 夫の 名前は 上司 同僚 裁判官 님이고 팀장 담당자 이름은 住在 审批 "
        "产品负责人 敏捷教练 财务总监 新人入职 两位新人 他儿子 她儿子 他女儿 她女儿 이사는 선생님 老同学 岁 老公 拍板 来自 "
        "幕僚长 团队： 兄弟 姐妹 恋爱 结婚 邻座 首席执行官 创办 退休 读法律 最好问 不会说 毕业于 老家 擅长 主管 组长 秘书 "
        "助理 校长 班主任 带数据团队 岳父 岳母 表哥 表姐 堂弟 舅舅 姑姑 阿姨 叔叔 太太 租客 接班 姐夫 妹夫 嫂子 弟媳 副手 "
        "组长是 实验室的 开店",
        2: "先生 女士 教授 产品经理 设计师 工程师 技术总监 总监 开发者 投资人 老师 医生 护士 朋友 邻居 客户那边 问他 问她 "
        "找他 找她 叫 共事 过敏 养了 女儿 儿子 妻子 丈夫 医院工作 支社 勤務 息子 사무실 친구 아내 남편 동료 新人 做测试 同学 "
        "亲戚 室友 保姆 司机 씨 执行 校友 前任 继任 外号 昵称 代表是 汇报给 电工 会说 读大学 读研 介绍认识 合伙人 股东 顾问 "
        "教练 翻译是 医生退休 退休了 的儿子 的女儿 有个儿子 有个女儿 店主 老板娘 护工",
        1: "他 她 负责 之前在 办公室 远程办公 以前 联系 维护 编辑",
    },
    "TEMP": {
        3: "正在等 现在在 今天先 临时 暂时 这次会话 这会儿 还在跑 在开会 半小时后 十分钟后 今晚 刚才 用完删 占位 当前分支 "
        "眼下 此刻 稍后 一会儿 小时后提醒 分钟后 候诊室 我在路上 静音 一時的 今は 会議中 지금 기다리는 잠시 임시로 오늘만 "
        "先别动 饭后再 不在家 用户正 돌아가는 건드리지 在开车 网断了 当前报错 等审批 先不跑 另一个屏幕 当前文件 马上 等一下 "
        "稍等 快好了 在火车上 在飞机上 在车上 在外面 还没发 正在重启 这次运行 分钟前 先忽略 刚刚 发过来 马上回来 "
        "两个测试没过 今天别 去吃午饭 回来再 先贴在 去吃饭 去开会 回来继续 状态页",
        2: "正在 现在 目前 当前 今天 没提交 电量 只剩 连不上 再试 终端 车位 被锁 锁着 之后才能继续 打开着 还剩 队列里 高铁 "
        "回头再 还在 结束后再 今日 中なので 오늘 나중에 正在跑 再继续 不在 上传 变基 测试正在 断了 再推送 再看 步做完 接下来 "
        "先不 改到一半 没保存 排队 在改 没过 过来 重启中 还没 先发 先贴 出门 恢复到 就停 红的 去接孩子 排队中",
        1: "先放 先用 测完 桌面 草稿 提醒我 慢一点 跑着 下载 继续 等 我在 以降 切っている レンダリング",
    },
    "": {
        0: "现在用 现在使用 现在都用 今天起 等级 等等 相等 平等 等于 别人 请求 申请 特别 区别 级别 别的 主题色 现在做 以前 "
        "现在的 合并之前 合并请求 预发布 钥匙 进度条 发布会 完成、 别名 类别 个别 编辑器 同事一样 随机数 输出格式 每次都能 "
        "结果集",
    },
}  # fmt: skip

# Given names that are heard often, of many countries: a hint at people where they stand with a capital letter.
GIVEN = frozenset(
    (  # noqa: SIM905
        "Aaron Abdul Adam Adrian Agnes Ahmed Aisha Alan Albert Alejandro Alex Alexander Ali Alice Alicia Amanda Amara Amelia "
        "Amir Amy Ana Anders Andre Andrea Andreas Andrew Angela Anita Anja Ann Anna Anne Antoine Anton Antonio Arjun Arthur "
        "Ayşe Barbara Beatriz Ben Benjamin Bernd Birgit Björn Bob Boris Brian Bruno Camille Carla Carlos Carmen Caroline "
        "Catherine Charles Charlotte Chen Chiara Chloe Chris Christian Christina Claire Clara Claudia Daniel Daniela Dave David "
        "Deepak Diana Diego Dmitri Dominik Edith Edward Elena Elif Elisa Elizabeth Ella Emil Emily Emma Eric Erik Eva Farah "
        "Fatima Felix Fernando Florian Francesca Francesco Frank Franz Fred Frida Friedrich Gabriel George Giovanni Giulia "
        "Grace Greta Gustav Hannah Hans Harriet Harry Hassan Heidi Helen Helena Henrik Henry Hiroshi Hugo Ian Ibrahim Igor Ilse "
        "Ines Ingrid Irene Isabel Ivan Jack Jakob James Jan Jana Jane Javier Jean Jennifer Jens Jim Joan Joao Joe Johan John "
        "Jonah Jonas Jonathan Jorge Jose Joseph Juan Julia Julian Julie Jürgen Kai Karen Karim Karl Katarina Kate Katja Katrin "
        "Kenji Kevin Khalid Kim Klaus Kristina Lars Laura Lea Leila Lena Leo Leon Lin Linda Ling Lisa Liu Louis Louise Luca "
        "Lucas Lucia Luis Lukas Luke Magda Maja Manuel Marc Marco Marek Margaret Maria Marie Mario Mark Marta Martin Mary Mateo "
        "Matteo Matthew Max Maya Mehmet Mei Mia Michael Michelle Miguel Mikhail Mila Ming Miriam Mohamed Mohammed Monica Moritz "
        "Nadia Naomi Natalia Nathan Neha Nick Nicole Nils Nina Noah Nora Oksana Olaf Oleg Olga Oliver Olivia Omar Oscar Oskar "
        "Otto Pablo Paolo Patricia Patrick Paul Paula Pavel Pedro Peter Petra Philip Philipp Pierre Piet Piotr Priya Rachel Raj "
        "Ralf Ravi Rebecca Renate Ricardo Richard Rita Robert Roberto Roman Rosa Ruth Ryan Sabine Sally Salma Sam Samir Samuel "
        "Sandra Sanjay Sara Sarah Sasha Sebastian Sergei Silvia Simon Sofia Sophia Sophie Stefan Stella Stephen Steve Stine "
        "Susan Svetlana Tadeusz Takeshi Tanja Tariq Teresa Theo Thomas Tim Tina Tobias Tom Tomas Tomasz Ulrike Valentina Vera "
        "Victor Viktor Vincent Viola Walter Wang Wei Werner William Wolfgang Xavier Ximena Yan Yasmin Yuki Yusuf Yvonne Zara "
        "Zhang Zoe"
    ).split()
)

# What a note begins with, before a colon: “Editor: Neovim” says by that what it is.
HEADS: dict[str, tuple[str, ...]] = {
    "PREF": (
        "preferred", "language", "editor", "shell", "terminal", "browser", "theme", "units", "food", "diet", "drinks", "music",
        "travel", "communication", "tone", "style", "formatting", "spelling", "timezone", "time zone", "working hours",
        "preference", "preferences", "wording", "naming", "偏好", "语言", "回答语言", "用餐", "风格", "习惯",
    ),
    "PROJ": (
        "project", "status", "goal", "objective", "scope", "milestone", "decision", "deadline", "open tasks", "open questions",
        "todo", "todos", "to-do", "roadmap", "budget", "next step", "next steps", "backlog", "deliverables", "launch",
        "release", "phase", "项目", "状态", "目标", "待办", "截止", "决定", "进度",
    ),
    "TECH": (
        "db", "database", "host", "server", "stack", "os", "model", "repo", "port", "ports", "api", "url", "endpoint", "ip",
        "cluster", "cpu", "gpu", "storage", "network", "version", "versions", "build", "ci", "env", "数据库", "服务器", "端口",
        "接口", "环境",
    ),
    "LESSON": (
        "lesson", "lessons", "mistake", "rule", "feedback", "gotcha", "pitfall", "root cause", "cause", "fix", "insight",
        "note to self", "tip", "warning", "bug", "postmortem", "教训", "经验", "原因", "复盘", "注意",
    ),
    "PEOPLE": (
        "team", "contact", "contacts", "mentor", "boss", "manager", "client side", "family", "kids", "landlord", "supervisor",
        "head of", "coach", "people", "staff", "lead", "团队", "联系人", "家人", "同事", "老板",
    ),
    "TEMP": (
        "current", "currently", "active", "session note", "now", "wip", "scratch", "temp", "temporary", "today", "clipboard",
        "当前", "现在", "临时", "今天",
    ),
}  # fmt: skip
