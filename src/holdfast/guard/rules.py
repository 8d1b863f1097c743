"""What secrets look like: facts about formats, as tables. How they are searched for is in redaction.py.

Four ways in which a text gives a secret away:

    TOKENS     a prefix that its issuer chose so that it can be recognised, and token characters behind it
    SHAPES     a telltale somewhere in it, and an expression around that
    WORDS      a word for a secret, and a value assigned to it: `DB_PASSWORD=…`, `"apiKey": "…"`, `the password is …`
    NAMES      the name of a service as the key itself: `sourcegraph: …`

A prefix with twenty or more token characters behind it is a secret whatever its nominal length: issuers make their tokens
longer without asking us. Where a prefix is short or a word of its own (`sk-`, `re_`), what follows must look random besides.
"""

from __future__ import annotations

import re

_made: dict[str, re.Pattern[str]] = {}


def expression(source: str) -> re.Pattern[str]:
    """An expression, compiled when it is first needed: a text with nothing to check must not wait for it."""
    found = _made.get(source)
    if found is None:
        found = _made[source] = re.compile(source)
    return found


# ---- tokens ------------------------------------------------------------------------------------------------------------
# (kind, prefixes, token characters that must follow at least, whether the prefix alone is proof)

SURE, RANDOM = True, False

TOKENS: tuple[tuple[str, str, int, bool], ...] = (
    # cloud
    ("aws-access-key", "AKIA ASIA ABIA ACCA", 16, SURE),
    ("aws-bedrock-key", "ABSK bedrock-api-key-", 20, SURE),
    ("aws-mws-key", "amzn.mws.", 20, SURE),
    ("google-key", "AIza", 30, SURE),
    ("google-oauth", "ya29. GOCSPX- 1//0", 20, SURE),
    ("alibaba-key", "LTAI", 12, RANDOM),
    ("tencent-key", "AKID", 13, RANDOM),
    ("baidu-key", "bce-v3/ALTAK-", 20, SURE),
    ("yandex-key", "AQVN YCAJ YCrT t1.9eu", 20, RANDOM),
    ("yandex-token", "y0_ y1_ y2_ y3_", 48, RANDOM),
    ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", 20, SURE),
    ("cloudflare-token", "cfk_ cfut_ cfat_", 20, SURE),
    ("cloudflare-origin-key", "v1.0-", 40, RANDOM),
    ("fly-token", "fo1_", 40, RANDOM),
    ("fly-macaroon", "fm1_ fm1a_ fm1r_ fm2_", 80, RANDOM),
    ("heroku-key", "HRKU-", 20, SURE),
    ("render-key", "rnd_", 20, RANDOM),
    ("vercel-token", "vck_ vcp_ vci_ vca_ vcr_ vercel_blob_rw_", 20, RANDOM),
    ("netlify-token", "nfp_ nfc_ nfo_ nfu_ nfb_", 20, RANDOM),
    ("scalingo-token", "tk-us-", 20, SURE),
    ("openshift-token", "sha256~", 20, SURE),
    ("tailscale-key", "tskey-", 16, SURE),
    ("oracle-token", "ocid1.credential.", 20, SURE),
    ("ibm-key", "ApiKey-", 20, RANDOM),
    # data stores
    ("supabase-key", "sbp_ sb_secret_ sbs_", 20, SURE),
    ("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", 20, SURE),
    ("neon-key", "napi_ npg_", 12, RANDOM),
    ("mongodb-key", "mdb_sa_sk_", 20, SURE),
    ("astra-token", "AstraCS:", 20, SURE),
    ("databricks-token", "dapi dose dkea dsapi", 30, RANDOM),
    ("aiven-token", "AVNS_ aivenv1", 16, SURE),
    ("clickhouse-key", "4b1d", 38, RANDOM),
    ("confluent-key", "cflt", 30, RANDOM),
    ("dbt-token", "dbtc_ dbtu_ dbts_", 20, SURE),
    ("prefect-key", "pnu_ pnb_", 20, SURE),
    ("pinecone-key", "pcsk_", 20, SURE),
    ("elastic-key", "essu_ essa_", 20, SURE),
    ("qdrant-key", "qdr_", 20, RANDOM),
    ("xata-key", "xau_", 20, RANDOM),
    ("tinybird-token", "p.eyJ", 20, SURE),
    ("airtable-key", "pat", 60, RANDOM),
    # models
    ("anthropic-key", "sk-ant-", 20, SURE),
    ("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", 20, SURE),
    ("openrouter-key", "sk-or-v1- sk-or-", 20, SURE),
    ("model-key", "sk-", 20, RANDOM),
    ("openai-session", "sess-", 30, RANDOM),
    ("groq-key", "gsk_", 20, SURE),
    ("xai-key", "xai-", 20, RANDOM),
    ("perplexity-key", "pplx-", 20, SURE),
    ("huggingface-token", "hf_ api_org_", 20, RANDOM),
    ("replicate-token", "r8_", 20, RANDOM),
    ("nvidia-key", "nvapi-", 20, SURE),
    ("jina-key", "jina_", 20, RANDOM),
    ("tavily-key", "tvly-", 20, SURE),
    ("firecrawl-key", "fc-", 30, RANDOM),
    ("together-key", "tgp_v1_", 20, SURE),
    ("fireworks-key", "fw_", 20, RANDOM),
    ("cerebras-key", "csk-", 20, SURE),
    ("voyage-key", "pa-", 30, RANDOM),
    ("langsmith-key", "lsv2_pt_ lsv2_sk_ ls__", 20, SURE),
    ("langfuse-key", "sk-lf- pk-lf-", 20, SURE),
    ("e2b-key", "e2b_", 20, RANDOM),
    ("runpod-key", "rpa_ rps_", 20, RANDOM),
    ("anyscale-key", "esecret_", 20, SURE),
    ("elevenlabs-key", "sk_", 40, RANDOM),
    ("modal-token", "ak- as-", 20, RANDOM),
    ("wandb-key", "wandb_v1_ local-", 40, RANDOM),
    ("brave-key", "BSA", 24, RANDOM),
    ("context7-key", "ctx7sk-", 20, SURE),
    ("apify-token", "apify_api_ apify_proxy_", 20, SURE),
    ("browserbase-key", "bb_live_ bb_test_", 16, RANDOM),
    ("composio-key", "comp_", 20, RANDOM),
    ("dify-key", "app- dataset-", 20, RANDOM),
    ("roboflow-key", "rf_", 20, RANDOM),
    ("portkey-key", "pk_live_portkey", 10, SURE),
    ("cursor-key", "key_", 40, RANDOM),
    ("clawhub-token", "clh_", 16, SURE),
    ("unify-key", "lmnr_ hlx_", 20, RANDOM),
    # source hosts and packages
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", 20, SURE),
    ("github-token-fine", "github_pat_", 20, SURE),
    ("gitlab-token", "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-", 18, SURE),
    ("gitlab-runner-token", "GR1348941", 18, SURE),
    ("gitlab-cookie", "_gitlab_session=", 20, SURE),
    ("atlassian-token", "ATATT ATCTT ATSTT ATBB ATTA", 20, RANDOM),
    ("sourcegraph-token", "sgp_ sgd_ slk_", 20, RANDOM),
    ("npm-token", "npm_", 20, RANDOM),
    ("pypi-token", "pypi-AgE pypi-", 40, SURE),
    ("rubygems-key", "rubygems_", 20, SURE),
    ("nuget-key", "oy2", 40, RANDOM),
    ("crates-token", "cio", 30, RANDOM),
    ("clojars-token", "CLOJARS_", 20, SURE),
    ("docker-token", "dckr_pat_ dckr_oat_", 20, SURE),
    ("packagist-token", "packagist_ack_ packagist_oru_ packagist_ors_ packagist_uut_", 20, SURE),
    ("artifactory-key", "AKCp", 60, RANDOM),
    ("artifactory-token", "cmVmd", 50, RANDOM),
    # chat and mail
    ("slack-token", "xoxb- xoxp- xoxa- xoxe- xoxo- xoxr- xoxs- xoxc- xoxd- xoxe.xoxp- xoxe.xoxb- xapp-", 20, SURE),
    ("discord-token", "MD MT Mj Mz ND NT Nj Nz OD OT", 50, RANDOM),
    ("twilio-key", "SK AC", 32, RANDOM),
    ("sendgrid-key", "SG.", 20, RANDOM),
    ("mailgun-key", "key- pubkey-", 30, RANDOM),
    ("brevo-key", "xkeysib- xsmtpsib-", 20, SURE),
    ("resend-key", "re_", 20, RANDOM),
    ("mailersend-key", "mlsn.", 20, SURE),
    ("mandrill-key", "md-", 20, RANDOM),
    ("telnyx-key", "KEY0", 20, RANDOM),
    ("onesignal-key", "os_v2_app_ os_v2_org_", 20, SURE),
    ("pubnub-key", "sec-c-", 20, SURE),
    ("intercom-token", "dG9rO", 40, RANDOM),
    # payment and commerce
    ("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_ sk_org_", 16, SURE),
    ("stripe-webhook-secret", "whsec_", 20, SURE),
    ("square-token", "sq0atp- sq0csp- EAAAE EAAAl EAAAF", 20, SURE),
    ("razorpay-key", "rzp_live_ rzp_test_", 14, SURE),
    ("flutterwave-key", "FLWSECK FLWPUBK", 12, SURE),
    ("easypost-key", "EZAK EZTK", 50, RANDOM),
    ("shippo-token", "shippo_live_ shippo_test_", 20, SURE),
    ("duffel-token", "duffel_test_ duffel_live_", 20, SURE),
    ("paddle-key", "pdl_live_ pdl_sdbx_", 20, SURE),
    ("paypal-token", "access_token$production$ access_token$sandbox$ A21AA", 20, RANDOM),
    ("plaid-token", "access-sandbox- access-development- access-production-", 20, SURE),
    ("payment-key", "live_ test_", 30, RANDOM),
    ("checkout-key", "sk_sbox_", 20, SURE),
    ("xendit-key", "xnd_production_ xnd_development_", 20, SURE),
    ("midtrans-key", "Mid-server- SB-Mid-server-", 16, SURE),
    ("shopify-token", "shpat_ shpss_ shpca_ shppa_ shptka_ shprka_", 20, SURE),
    ("lob-key", "live_pub_ test_pub_", 20, SURE),
    ("polar-token", "polar_oat_ polar_pat_", 20, SURE),
    # builds, deployment, secrets' own stores
    ("circleci-token", "CCIPAT_ CCIPRJ_", 20, SURE),
    ("buildkite-token", "bkua_ bkaj_ bkct_", 20, SURE),
    ("sonar-token", "squ_ sqp_ sqa_", 20, SURE),
    ("snyk-token", "snyk_uat. snyk_sat.", 20, SURE),
    ("octopus-key", "API-", 25, RANDOM),
    ("harness-key", "pat. sat.", 40, RANDOM),
    ("pulumi-token", "pul-", 30, RANDOM),
    ("vault-token", "hvs. hvb. hvr.", 20, SURE),
    ("vault-token-old", "s. b. r.", 24, RANDOM),
    ("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", 20, SURE),
    ("onepassword-token", "ops_", 40, SURE),
    ("onepassword-secret-key", "A3-", 30, RANDOM),
    ("infisical-token", "st.", 60, RANDOM),
    ("age-key", "AGE-SECRET-KEY-1 AGE-PLUGIN-", 40, SURE),
    ("infracost-key", "ico-", 30, RANDOM),
    ("launchdarkly-key", "sdk- api- mob-", 32, RANDOM),
    ("ngrok-token", "cr_", 40, RANDOM),
    ("defined-token", "dnkey-", 20, SURE),
    ("settlemint-token", "sm_pat_ sm_aat_ sm_sat_", 16, SURE),
    # watching
    ("newrelic-key", "NRAK- NRII- NRJS- NRRA- NRAL-", 15, SURE),
    ("grafana-token", "glsa_", 30, RANDOM),
    ("grafana-cloud-token", "glc_", 32, RANDOM),
    ("sentry-token", "sntrys_ sntryu_ sntryi_", 20, SURE),
    ("dynatrace-token", "dt0c01. dt0s01. dt0s02. dt0s03. dt0s04. dt0s06. dt0s08. dt0s16.", 20, SURE),
    ("honeycomb-key", "hcaik_ hcxik_ hcalk_ hcxlk_ hcamk_ hcxmk_", 20, SURE),
    ("posthog-key", "phx_ phs_", 20, RANDOM),
    ("axiom-token", "xaat- xapt-", 20, SURE),
    ("logfire-token", "pylf_v1_", 20, SURE),
    ("datadog-key", "ddapp_ ddp_", 20, RANDOM),
    ("statsig-key", "secret-", 30, RANDOM),
    # working together
    ("notion-token", "ntn_ secret_", 40, RANDOM),
    ("linear-key", "lin_api_ lin_oauth_ lin_wh_", 20, SURE),
    ("figma-token", "figd_ figu_ figo_", 20, SURE),
    ("clickup-token", "pk_", 34, RANDOM),
    ("typeform-token", "tfp_", 20, SURE),
    ("dropbox-token", "sl.u. sl.B sl.A", 40, RANDOM),
    ("contentful-token", "CFPAT-", 20, SURE),
    ("hubspot-token", "pat-na1- pat-na2- pat-eu1-", 20, SURE),
    ("postman-key", "PMAK- PMAT-", 20, SURE),
    ("readme-key", "rdme_", 20, SURE),
    ("adobe-secret", "p8e-", 20, SURE),
    ("frameio-token", "fio-u-", 20, SURE),
    ("mapbox-token", "sk.eyJ tk.eyJ pk.eyJ", 40, SURE),
    ("facebook-token", "EAA IGQ IGAA", 60, RANDOM),
    ("twitter-bearer", "AAAAAAAAAAAAAAAAAAAA", 30, RANDOM),
    ("linkedin-secret", "WPL_AP0. WPL_AP1.", 10, SURE),
    ("tiktok-token", "act.", 40, RANDOM),
    ("wakatime-key", "waka_", 20, SURE),
    ("salesforce-token", "00D", 80, RANDOM),
    ("workos-key", "sk_live_wos", 8, SURE),
    ("stytch-secret", "secret-live- secret-test-", 20, SURE),
    ("ory-token", "ory_pat_ ory_st_ ory_apikey_ ory_at_ ory_rt_", 20, SURE),
    ("raycast-token", "rca_", 20, RANDOM),
    ("canva-secret", "cnvca", 20, RANDOM),
    ("trigger-key", "tr_dev_ tr_prod_ tr_stg_", 16, SURE),
    ("inngest-key", "signkey-prod- signkey-test- signkey-branch-", 20, SURE),
    ("convex-key", "prod:", 60, RANDOM),
    ("liveblocks-key", "sk_dev_", 20, SURE),
    ("highnote-key", "sk_rk_ rk_", 40, RANDOM),
)

# What a token is made of behind its prefix, where it is not letters, digits, `_` and `-` alone.
PLAIN = "[A-Za-z0-9_-]"
_DOTTED = r"[A-Za-z0-9_.=~+/%-]"
ALPHABETS: dict[str, str] = {
    "aws-access-key": r"[A-Z0-9]", "aws-bedrock-key": r"[A-Za-z0-9+/=]", "google-oauth": _DOTTED,
    "yandex-key": r"[A-Za-z0-9_.=-]",
    "astra-token": r"[A-Za-z0-9:]", "defined-token": r"[A-Za-z0-9_=-]", "onepassword-token": r"[A-Za-z0-9+/=_-]",
    "slack-token": r"[A-Za-z0-9%-]", "sendgrid-key": r"[A-Za-z0-9_.=-]", "dropbox-token": r"[A-Za-z0-9_.=!-]",
    "discord-token": r"[A-Za-z0-9_.-]", "twilio-key": r"[0-9a-f]", "octopus-key": r"[A-Z0-9]", "harness-key": r"[A-Za-z0-9_.-]",
    "vault-token-old": r"[A-Za-z0-9]", "vault-token": r"[A-Za-z0-9_.-]", "infisical-token": r"[A-Za-z0-9_.-]",
    "duffel-token": r"[A-Za-z0-9_=-]", "dynatrace-token": r"[A-Za-z0-9.]", "frameio-token": r"[A-Za-z0-9_=-]",
    "typeform-token": r"[A-Za-z0-9_.=-]", "mapbox-token": r"[A-Za-z0-9_.-]", "sentry-token": r"[A-Za-z0-9+/=_-]",
    "grafana-cloud-token": r"[A-Za-z0-9+/=]", "planetscale-token": r"[A-Za-z0-9_.=-]", "snyk-token": r"[A-Za-z0-9_.-]",
    "square-token": r"[A-Za-z0-9_\\^\[\]-]", "twitter-bearer": r"[A-Za-z0-9%]", "salesforce-token": r"[A-Za-z0-9_.!]",
    "linkedin-secret": _DOTTED, "tiktok-token": r"[A-Za-z0-9!.*]", "ory-token": r"[A-Za-z0-9_.-]",
    "mailersend-key": r"[A-Za-z0-9.]", "tinybird-token": r"[A-Za-z0-9_.-]", "paypal-token": r"[A-Za-z0-9$_.-]",
    "convex-key": r"[A-Za-z0-9|:_.=+/-]",
    "oracle-token": _DOTTED, "alibaba-key": r"[A-Za-z0-9]", "tencent-key": r"[A-Za-z0-9]", "clickhouse-key": r"[A-Za-z0-9]",
    "databricks-token": r"[0-9a-f-]", "easypost-key": r"[A-Za-z0-9]", "artifactory-key": r"[A-Za-z0-9]",
    "airtable-key": r"[A-Za-z0-9.]", "nuget-key": r"[a-z0-9]", "crates-token": r"[A-Za-z0-9]",
    "facebook-token": r"[A-Za-z0-9_%.-]",
    "mailgun-key": r"[0-9a-z-]", "launchdarkly-key": r"[0-9a-f-]", "onepassword-secret-key": r"[A-Z0-9-]",
    "elevenlabs-key": r"[0-9a-f]", "cursor-key": r"[0-9a-f]", "brave-key": r"[A-Za-z0-9_-]", "firecrawl-key": r"[0-9a-f]",
    "doppler-token": r"[A-Za-z0-9.]", "clickup-token": r"[A-Z0-9_]", "fly-macaroon": r"[A-Za-z0-9+/=,_-]",
    "gitlab-token": r"[A-Za-z0-9_.=-]", "model-key": r"[A-Za-z0-9_.-]", "intercom-token": r"[A-Za-z0-9+/=_-]",
    "artifactory-token": r"[A-Za-z0-9]", "huggingface-token": r"[A-Za-z0-9]",
}  # fmt: skip

# Tokens whose whole form is known besides; nothing else that begins so is one.
FORMS: dict[str, str] = {
    "discord-token": r"[A-Za-z0-9_-]{20,30}\.[A-Za-z0-9_-]{5,7}\.[A-Za-z0-9_-]{27,45}(?![A-Za-z0-9_.-])",
    "twilio-key": r"[0-9a-f]{32}(?![A-Za-z0-9])",
    "vault-token-old": r"[A-Za-z0-9]{24}(?![A-Za-z0-9_.(-])",
    "airtable-key": r"[A-Za-z0-9]{14}\.[0-9a-f]{64}",
    "cloudflare-origin-key": r"[0-9a-f]{24}-[0-9a-f]{100,200}",
    "sendgrid-key": r"[A-Za-z0-9_=-]{16,32}\.?[A-Za-z0-9_=.-]{16,64}",
    "pulumi-token": r"[0-9a-f]{40}(?![0-9A-Za-z])",
    "aws-access-key": r"[A-Z0-9]{16}(?![A-Za-z0-9])",
    "databricks-token": r"[0-9a-f]{32}(?:-\d)?(?![0-9A-Za-z])",
    "launchdarkly-key": r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "mandrill-key": r"[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])",
    "clickup-token": r"[0-9]{4,12}_[A-Z0-9]{32}",
    "salesforce-token": r"[A-Za-z0-9]{9,15}![A-Za-z0-9_.]{60,150}",
    "harness-key": r"[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9]{20,30}\.[A-Za-z0-9]{16,30}",
    "modal-token": r"[A-Za-z0-9]{22}(?![A-Za-z0-9])",
    "mailgun-key": r"[0-9a-f]{32}(?:-[0-9a-f]{8}){0,2}(?![0-9A-Za-z])|[0-9a-z-]{32}(?![0-9A-Za-z-])",
    "dify-key": r"[A-Za-z0-9]{24}(?![A-Za-z0-9])",
    "octopus-key": r"[A-Z0-9]{25,30}(?![A-Za-z0-9])",
    "onepassword-secret-key": r"[A-Z0-9]{6}-(?:[A-Z0-9]{6}-[A-Z0-9]{5}|[A-Z0-9]{11})(?:-[A-Z0-9]{5}){3}",
    "payment-key": r"[A-Za-z0-9_]{30,64}(?![A-Za-z0-9_-])",
    "infracost-key": r"[A-Za-z0-9]{32}(?![A-Za-z0-9])",
    "nuget-key": r"[a-z0-9]{43}(?![A-Za-z0-9])",
    "crates-token": r"[A-Za-z0-9]{32}(?![A-Za-z0-9])",
    "clickhouse-key": r"[A-Za-z0-9]{38}(?![A-Za-z0-9])",
}  # fmt: skip

# ---- shapes ------------------------------------------------------------------------------------------------------------
# (kind, telltales, how far before the telltale it begins (below zero: with the word there, at most so far), expression; its
# group 1 is the secret where there is one)

SHAPES: tuple[tuple[str, tuple[str, ...], int, str], ...] = (
    ("putty-key", ("Private-Lines:",), 0, r"Private-Lines: \d{1,4}\r?\n((?:[A-Za-z0-9+/=]{1,100}\r?\n?){1,400}+)"),
    ("minisign-key", ("RWRTY0Iy",), 0, r"RWRTY0Iy[A-Za-z0-9+/=]{40,400}"),
    (
        "jwt",
        ("eyJ",),
        0,
        r"(?<![A-Za-z0-9_-]{2})eyJ[A-Za-z0-9_=-]{10,4000}+\.(?:eyJ[A-Za-z0-9_=-]{6,8000}+)?(?:\.[A-Za-z0-9_=+/-]{6,4000}+){1,4}",
    ),
    ("grafana-key", ("eyJrIjoi",), 0, r"eyJrIjoi[A-Za-z0-9+/=_-]{40,400}"),
    ("telegram-token", (":AA",), -11, r"(?<![0-9A-Za-z])[0-9]{7,11}:AA[A-Za-z0-9_-]{30,40}(?![A-Za-z0-9_-])"),
    ("mailchimp-key", ("-us",), 32, r"(?<![0-9A-Za-z])[0-9a-f]{32}-us[0-9]{1,2}(?![0-9A-Za-z])"),
    ("terraform-token", (".atlasv1.",), -16, r"[A-Za-z0-9]{10,16}\.atlasv1\.[A-Za-z0-9_=-]{50,80}"),
    ("azure-client-secret", ("Q~",), 4, r"(?<![A-Za-z0-9_~.])[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])"),
    ("facebook-app-token", ("facebook",), 0, r"[Ff]acebook[^\n|]{0,40}?([0-9]{13,17}\|[A-Za-z0-9_-]{24,40})(?![A-Za-z0-9_-])"),
    (
        "slack-webhook",
        ("hooks.slack.com/", "hooks.slack-gov.com/"),
        0,
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{20,120})",
    ),
    ("discord-webhook", ("/api/webhooks/",), 0, r"/api/webhooks/[0-9]{15,22}/([A-Za-z0-9_-]{40,100})"),
    ("teams-webhook", (".webhook.office.com/",), 0, r"\.webhook\.office\.com/webhookb2/([A-Za-z0-9@/_-]{60,250})"),
    ("feishu-webhook", ("/open-apis/bot/",), 0, r"/open-apis/bot/v2/hook/([A-Za-z0-9-]{20,60})"),
    ("wecom-webhook", ("/webhook/send?key=",), 0, r"/webhook/send\?key=([A-Za-z0-9-]{20,60})"),
    ("zapier-webhook", ("hooks.zapier.com/",), 0, r"hooks\.zapier\.com/hooks/catch/([0-9]{4,12}/[A-Za-z0-9]{5,20})"),
    (
        "ifttt-webhook",
        ("maker.ifttt.com/",),
        0,
        r"maker\.ifttt\.com/(?:use/|trigger/[^/\s]{1,80}/(?:json/)?with/key/)([A-Za-z0-9_-]{20,80})",
    ),
    ("azure-signature", ("sig=",), 1, r"[?&;]sig=([A-Za-z0-9%/+_-]{30,120}=?)"),
    ("aws-signature", ("X-Amz-Signature=",), 0, r"X-Amz-Signature=([0-9a-f]{64})"),
    ("sentry-dsn", ("://",), 0, r"://([0-9a-f]{32}(?::[0-9a-f]{32})?)@(?:o[0-9]|sentry)"),
    ("url-password", ("://",), 0, r"://(?:[^\s:/@\"'<>?#]{0,100}):([^\s/\"'<>]{3,200})@(?=[A-Za-z0-9\[_$%{])"),
    (
        "basic-auth",
        (" -u", "--user", "--proxy-user"),
        0,
        r"(?: -u|--(?:proxy-)?user)(?:[ \t]{1,4}|=)?[\"']?(?:[^\s:\"']{0,80})[\"']?:[\"']?([^\s\"']{3,120})",
    ),
    ("basic-auth", ("curl ",), 0, r"curl [^\n]{0,200}?-u[ \t]{1,4}[\"']?([^\s:\"'$]{8,120}):[\"'\s]"),
    (
        "netrc-password",
        ("machine", "login"),
        0,
        r"(?:machine\s{1,9}\S{1,100}\s{1,9})?login\s{1,9}\S{1,100}\s{1,9}password\s{1,9}(\S{3,200})",
    ),
    (
        "mysql-password",
        ("mysql", "mariadb"),
        0,
        r"(?:mysql|mariadb)(?:dump|admin)?[ \t][^\n|;&]{0,120}?-p([^\s\"'$-][^\s\"']{3,80})",
    ),
    ("pgpass", (":5432:",), 0, r":5432:[^\s:]{1,60}:[^\s:]{1,60}:([^\s:$]{4,120})(?=\s|$)"),
    (
        "password-hash",
        ("$apr1$", "$2y$", "$2b$", "$2a$", "$6$", "$5$", "$argon2"),
        0,
        r"\$(?:apr1\$[./A-Za-z0-9]{2,8}\$[./A-Za-z0-9]{22}|2[aby]\$[0-9]{2}\$[./A-Za-z0-9]{53}"
        r"|[56]\$(?:rounds=[0-9]{1,9}\$)?[./A-Za-z0-9]{2,16}\$[./A-Za-z0-9]{43,86}"
        r"|argon2[a-z]{1,2}\$v=[0-9]{1,3}\$[a-z0-9=,]{5,40}\$[A-Za-z0-9+/]{8,80}\$[A-Za-z0-9+/]{16,120})",
    ),
)

# A private key in armour is followed line by line; this is how it begins, in lower case.
ARMOUR: tuple[str, ...] = ("-----begin ", "---- begin ")

# ---- words -------------------------------------------------------------------------------------------------------------
# Words for a password, in lower case: whatever is assigned to them is one, unless it plainly is not (a type, a variable).

PASSWORD_WORDS: tuple[str, ...] = (
    "password", "passwd", "passphrase", "passcode", "pwd", "passwort", "kennwort", "contraseña", "contrasena", "mot de passe",
    "senha", "palavra-passe", "wachtwoord", "lösenord", "adgangskode", "passord", "hasło", "heslo", "jelszó",
    "parola", "şifre", "пароль", "кодовое слово", "κωδικός", "密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "암호",
    "mật khẩu", "kata sandi", "รหัสผ่าน", "पासवर्ड", "كلمة المرور", "كلمة السر", "סיסמה", "סיסמא",
)  # fmt: skip

# Words for a key or token: what is assigned to them must look random.
KEY_WORDS: tuple[str, ...] = (
    "secret", "token", "key", "credential", "auth", "bearer", "密钥", "密鑰", "令牌", "ключ", "токен", "秘密鍵",
    "トークン", "clave", "jeton", "schlüssel", "clé", "chave", "키", "토큰", "pass", "appid",
)  # fmt: skip

# Services by whose name alone people keep a key.
NAMES: tuple[str, ...] = (
    "sourcegraph", "openai", "anthropic", "mailgun", "sendgrid", "twilio", "algolia", "datadog", "newrelic", "cloudflare",
    "stripe", "airtable", "pagerduty", "opsgenie", "rollbar", "bugsnag", "mapbox", "cohere", "deepgram", "assemblyai",
    "pinecone", "elevenlabs", "virustotal", "meraki", "wandb", "codecov", "travisci", "heroku", "vultr",
)  # fmt: skip
