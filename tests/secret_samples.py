"""Secrets for the tests, made at run time from the formats that their issuers publish: none is real, none stands in the source.

A template is literal text with `{alphabet length}` in it; the alphabets are below. The dice are loaded: every run makes the same.
"""
# ruff: noqa: E501

from __future__ import annotations

import base64
import json
import random
import re
import string
import urllib.parse
from collections.abc import Callable

ALPHABETS = {
    "hex": "0123456789abcdef",
    "low": string.ascii_lowercase + string.digits,
    "up": string.ascii_uppercase + string.digits,
    "an": string.ascii_letters + string.digits,
    "url": string.ascii_letters + string.digits + "_-",
    "b64": string.ascii_letters + string.digits + "+/",
    "num": string.digits,
    "let": string.ascii_letters,
}

# What providers issue, with a prefix or a form of its own: known wherever it stands.
PROVIDERS: dict[str, str] = {
    "aws": "AKIA{up 16}", "aws-temporary": "ASIA{up 16}", "aws-bedrock": "ABSKQmVkcm9ja0FQSUtleS1{an 110}",
    "google-api": "AIzaSy{url 33}", "google-oauth-secret": "GOCSPX-{url 28}", "google-oauth-token": "ya29.a0{url 120}",
    "azure-client": "{an 3}8Q~{url 31}", "alibaba": "LTAI5t{an 18}", "digitalocean": "dop_v1_{hex 64}", "cloudflare-user": "cfut_{an 48}",
    "cloudflare-origin": "v1.0-{hex 24}-{hex 146}", "fly": "fo1_{url 43}", "heroku": "HRKU-AA{url 58}", "render": "rnd_{an 28}",
    "vercel": "vcp_{an 56}", "netlify": "nfp_{an 36}", "supabase": "sbp_{hex 40}", "supabase-secret": "sb_secret_{url 31}",
    "planetscale": "pscale_tkn_{url 43}", "neon": "napi_{low 64}", "databricks": "dapi{hex 32}", "aiven": "AVNS_{url 19}",
    "dbt": "dbtu_{url 36}", "pinecone": "pcsk_{an 70}", "astra": "AstraCS:{an 24}:{hex 64}", "airtable": "pat{an 14}.{hex 64}",
    "anthropic": "sk-ant-api03-{url 93}AA", "openai": "sk-{an 20}T3BlbkFJ{an 20}", "openai-project": "sk-proj-{url 120}",
    "openrouter": "sk-or-v1-{hex 64}", "deepseek": "sk-{hex 32}", "groq": "gsk_{an 52}", "xai": "xai-{an 80}",
    "perplexity": "pplx-{an 48}", "huggingface": "hf_{let 34}", "replicate": "r8_{an 37}", "nvidia": "nvapi-{url 64}",
    "tavily": "tvly-dev-{an 32}", "firecrawl": "fc-{hex 32}", "together": "tgp_v1_{url 43}", "cerebras": "csk-{low 48}",
    "langsmith": "lsv2_pt_{hex 32}_{hex 10}", "langfuse": "sk-lf-{hex 8}-{hex 4}-{hex 4}-{hex 4}-{hex 12}", "e2b": "e2b_{hex 40}",
    "elevenlabs": "sk_{hex 48}", "apify": "apify_api_{an 36}", "jina": "jina_{hex 32}{url 28}", "clawhub": "clh_{an 40}",
    "github": "ghp_{an 36}", "github-oauth": "gho_{an 36}", "github-app": "ghs_{an 36}", "github-fine": "github_pat_{an 22}_{an 59}",
    "gitlab": "glpat-{url 20}", "gitlab-routable": "glpat-{url 27}.01.{low 9}", "gitlab-runner": "glrt-{url 20}",
    "gitlab-deploy": "gldt-{url 20}", "atlassian": "ATATT3xFfGF0{url 170}={up 8}", "bitbucket": "ATBB{an 32}",
    "sourcegraph": "sgp_{hex 16}_{hex 40}", "npm": "npm_{an 36}", "pypi": "pypi-AgEIcHlwaS5vcmc{url 150}",
    "rubygems": "rubygems_{hex 48}", "nuget": "oy2{low 43}", "crates": "cio{an 32}", "docker": "dckr_pat_{url 27}",
    "clojars": "CLOJARS_{hex 60}", "artifactory": "AKCp{an 69}", "slack-bot": "xoxb-{num 12}-{num 13}-{an 24}",
    "slack-user": "xoxp-{num 12}-{num 12}-{num 13}-{hex 32}", "slack-app": "xapp-1-A{up 10}-{num 13}-{hex 64}",
    "slack-webhook": "https://hooks.slack.com/services/T{up 8}/B{up 10}/{an 24}",
    "discord-bot": "MTA{an 23}.G{url 5}.{url 38}", "discord-webhook": "https://discord.com/api/webhooks/{num 18}/{url 68}",
    "telegram": "{num 9}8:AA{url 33}", "twilio": "SK{hex 32}", "sendgrid": "SG.{url 22}.{url 43}", "mailgun": "key-{hex 32}",
    "mailchimp": "{hex 32}-us12", "brevo": "xkeysib-{hex 64}-{an 16}", "resend": "re_{an 8}_{an 24}",
    "stripe": "sk_live_{an 24}", "stripe-test": "sk_test_{an 99}", "stripe-restricted": "rk_live_{an 24}", "stripe-hook": "whsec_{an 32}",
    "square": "sq0atp-{url 22}", "square-new": "EAAAl{url 59}", "razorpay": "rzp_live_{an 14}", "flutterwave": "FLWSECK-{hex 32}-X",
    "easypost": "EZAK{an 54}", "shippo": "shippo_live_{hex 40}", "paddle": "pdl_live_apikey_{low 26}_{an 22}_{an 3}",
    "plaid": "access-production-{hex 8}-{hex 4}-{hex 4}-{hex 4}-{hex 12}", "shopify": "shpat_{hex 32}", "adyen-like": "live_{an 40}",
    "circleci": "CCIPAT_{an 22}_{hex 40}", "buildkite": "bkua_{hex 40}", "sonar": "squ_{hex 40}", "octopus": "API-{up 26}",
    "harness": "pat.{an 22}.{hex 24}.{an 20}", "terraform": "{an 14}.atlasv1.{url 67}", "pulumi": "pul-{hex 40}", "vault": "hvs.{url 90}",
    "vault-old": "s.{an 24}", "doppler": "dp.pt.{an 43}", "onepassword": "ops_eyJ{an 250}", "age": "AGE-SECRET-KEY-1{up 58}",
    "tailscale": "tskey-auth-k{an 16}CNTRL-{an 32}", "infracost": "ico-{an 32}", "newrelic": "NRAK-{up 27}", "grafana": "glsa_{an 32}_{hex 8}",
    "grafana-cloud": "glc_eyJ{an 80}", "sentry": "sntryu_{hex 64}", "dynatrace": "dt0c01.{up 24}.{up 64}", "honeycomb": "hcaik_{low 58}",
    "posthog": "phx_{an 43}", "axiom": "xaat-{hex 8}-{hex 4}-{hex 4}-{hex 4}-{hex 12}", "notion": "ntn_{num 11}{an 35}",
    "linear": "lin_api_{an 40}", "figma": "figd_{url 40}", "typeform": "tfp_{url 44}_{url 14}", "contentful": "CFPAT-{url 43}",
    "hubspot": "pat-na1-{hex 8}-{hex 4}-{hex 4}-{hex 4}-{hex 12}", "postman": "PMAK-{hex 24}-{hex 34}", "readme": "rdme_{low 70}",
    "mapbox": "sk.eyJ{an 80}.{an 22}", "facebook": "EAAC{an 180}", "dropbox": "sl.u.{url 130}", "clickup": "pk_{num 8}_{up 32}",
    "wakatime": "waka_{hex 8}-{hex 4}-{hex 4}-{hex 4}-{hex 12}", "okta-like-openshift": "sha256~{url 43}", "prefect": "pnu_{an 36}",
    "trigger": "tr_prod_{an 20}", "snyk": "snyk_uat.{hex 8}.{url 60}", "midtrans": "Mid-server-{an 24}", "launchdarkly": "sdk-{hex 8}-{hex 4}-{hex 4}-{hex 4}-{hex 12}",
}  # fmt: skip

# What has no form of its own: known by the word before it. (words and value, the value)
GENERIC: dict[str, tuple[str, str]] = {
    "password-is": ("the password is @", "{an 11}7"), "passwort": ("Das Passwort lautet @", "{an 9}4"), "mima": ("密码是@", "{low 9}8"),
    "contrasena": ("la contraseña es @", "{an 9}2"), "motdepasse": ("mot de passe : @", "{an 9}6"), "parol": ("пароль: @", "{low 9}5"),
    "senha": ("senha: @", "{an 9}3"), "pasuwado": ("パスワードは @", "{low 9}1"), "bimil": ("비밀번호: @", "{low 9}4"),
    "env": ("DB_PASSWORD=@", "{an 12}!9"), "env-token": ("ACME_TOKEN=@", "{an 32}"), "yaml-key": ("api_key: @", "{hex 32}"),
    "aws-secret": ("aws_secret_access_key = @", "{b64 40}"), "flag": ("deploy --token @", "{an 28}"), "basic": ("Authorization: Basic @", "{b64 28}"),
    "bearer": ("Authorization: Bearer @", "{url 40}"), "header": ("X-Api-Key: @", "{low 32}"), "url": ("postgres://app:@@db.local/x", "{an 14}2"),
    "curl": ("curl -u deploy:@ https://x.local", "{an 12}5"), "query": ("https://x.local/?access_token=@", "{an 40}"),
    "azure-storage": ("AccountName=x;AccountKey=@;EndpointSuffix=y", "{b64 86}=="), "sql-server": ("Server=x;Password=@;Database=y", "{an 10}#7"),
    "netrc": ("machine x.local login me password @", "{an 12}3"), "npmrc": ("//registry.local/:_authToken=@", "{an 36}"),
    "wireguard": ("PrivateKey = @", "{b64 43}="), "sas": ("https://x.local/c?sv=1&sig=@", "{an 43}%3D"), "jwt": ("@", "eyJhbGciOiJIUzI1NiJ9.eyJ{an 40}.{url 43}"),
}  # fmt: skip

CONTEXTS: dict[str, str] = {
    "prose": "Yesterday we used @ for the deployment, and it worked.",
    "json": '{"when": "2026-11-15", "what": "@", "ok": true}',
    "shell": "$ run --verbose @ && echo done",
    "table": "| what | value |\n|---|---|\n| it | @ |\n",
    "diff": "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-@\n+gone\n",
    "lines": "first line\n@\nlast line",
}
assert all(context.count("@") for context in CONTEXTS.values())


def _full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


DISGUISES: dict[str, Callable[[str], str]] = {
    "none": str,
    "zero-width": lambda text: "\u200b".join((text[: len(text) // 2], text[len(text) // 2 :])),
    "look-alike": _full_width,
    "json": lambda text: "".join(f"\\u{ord(c):04x}" for c in text) if text.isascii() else json.dumps(text)[1:-1],
    "percent": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()) if text.isascii() else urllib.parse.quote(text),
    "base64": lambda text: base64.b64encode(f"it is: {text}".encode()).decode(),
}


def made(template: str, seed: str = "") -> str:
    """A secret of a template; the same for the same seed."""
    dice = random.Random(template + seed)

    def drawn(found: re.Match[str]) -> str:
        alphabet = ALPHABETS[found[1]]
        while True:  # with a digit and a letter, as nearly all have
            text = "".join(dice.choice(alphabet) for _ in range(int(found[2])))
            if len(text) < 12 or "num" in found[1] or found[1] == "let" or (re.search(r"\d", text) and re.search("[A-Za-z]", text)):
                return text

    return re.sub(r"\{(\w+) (\d+)\}", drawn, template)


def put(context: str, secret: str) -> str:
    """The secret in its context; `@@ … @@` of a diff stays."""
    return re.sub(r"(?<!@)@(?!@)|(?<=:)@(?=@)", lambda _: secret, context)


def needle(template: str, secret: str) -> str:
    """The part of a secret that must not be seen: a webhook's address is known, what comes behind it is not."""
    return secret.rsplit("/", 1)[-1] if template.startswith("https://") else secret
