"""Keys of further providers, as their own documentation shows them: in its command, setting or header where they have no prefix.

A second corpus, written down provider by provider before it was first held against the rules, so that it can say how well they
do on formats that they were not written for. Templates and dice are those of secret_samples.py; `@` is where the key stands.
"""
# ruff: noqa: E501

from __future__ import annotations

IN_A_SENTENCE = "Yesterday we used @ for the deployment, and it worked."
UUID = "{hex 8}-{hex 4}-{hex 4}-{hex 4}-{hex 12}"

# With a prefix or a form of their own: looked for in a sentence that says nothing about them.
FORMS: dict[str, str] = {
    "adafruit-io": "aio_{an 28}", "asana": "2/{num 16}/{num 16}:{hex 32}", "asaas": "$aact_prod_{an 80}", "authress": "sc_{an 10}.{an 4}.acc_{an 12}.{an 64}",
    "azure-devops": "{an 76}AZDO{an 4}", "azure-storage": "{b64 76}+ASt{an 6}==", "azure-functions": "{url 44}AzFu{an 6}==", "azure-search": "{an 42}AzSe{an 6}",
    "azure-cosmos": "{b64 76}ACDb{an 6}==", "beamer": "b_{url 44}", "cashfree": "cfsk_ma_prod_{hex 32}_{hex 8}", "cfx-re": "cfxk_{an 20}_{an 6}",
    "checkout-com": "sk_{low 26}*4", "cockroachdb": "CCDB1_{an 22}_{an 40}", "coveo": "xx" + UUID, "databento": "db-{an 29}", "deno-deploy": "ddp_{an 36}",
    "devcycle": "dvc_server_{hex 8}_{hex 4}_{hex 4}_{hex 4}_{hex 12}_{hex 7}", "ebay": "PRD-{hex 12}-{hex 8}-{hex 4}-{hex 4}-{hex 4}",
    "firebase-messaging": "AAAA{an 7}:APA91b{url 134}", "gocardless": "live_{url 40}", "google-storage-hmac": "GOOG1E{up 55}", "google-gemini-auth": "AQ.Ab8R{url 46}",
    "hcaptcha": "ES_{hex 32}", "hop": "ptk_{an 42}", "hubspot-eu": "pat-eu1-" + UUID, "ionic": "ion_{an 42}", "dvc-studio": "isat_{an 46}", "localstack": "ls-{an 8}-{an 4}-{an 4}-{an 4}-{an 12}",
    "logicmonitor": "lmb_{an 60}", "lichess": "lip_{an 20}", "maxmind": "{an 6}_{an 29}_mmk", "mercury": "secret-token:mercury_production_rma_{an 44}_yrucrem",
    "onfido": "api_live.{an 11}.{url 32}", "open-vsx": "ovsxat_" + UUID, "persona": "persona_production_" + UUID, "pinterest": "pina_{up 64}", "rootly": "rootly_{hex 64}",
    "samsara": "samsara_api_{an 30}", "segment": "sgp_{an 64}", "sanity": "sk{an 178}", "scaleway": "SCW{up 17}", "exoscale": "EXO{hex 24}", "upcloud": "ucat_{up 26}",
    "tableau": "{b64 22}==:{an 32}", "thunderstore": "tss_{an 36}", "unkey": "unkey_{an 24}", "val-town": "vtwn_{an 28}", "volcengine": "AKLT{an 44}",
    "zuplo": "zpka_{hex 32}_{hex 8}", "zoho": "1000.{hex 32}.{hex 32}", "okta": "SSWS 00{url 40}", "ably": "{an 6}.{an 6}:{url 43}", "backblaze": "K005{b64 27}",
    "cloudinary": "cloudinary://{num 15}:{url 27}@acme", "klaviyo": "pk_{hex 34}", "trello": "ATTA{hex 64}{an 8}", "llama-cloud": "llx-{an 48}", "daytona": "dtn_{hex 64}",
    "mem0": "m0-{an 40}", "nomic": "nk-{url 43}", "you-com": "ydc-sk-{hex 16}-{an 32}", "letta": "sk-let-{b64 60}", "helicone": "sk-helicone-{low 7}-{low 7}-{low 7}-{low 7}",
    "langwatch": "sk-lw-{an 48}", "promptlayer": "pl_{hex 32}", "humanloop": "hl_sk_{hex 48}", "browser-use": "bu_{url 43}", "friendli": "flp_{an 42}", "cartesia": "sk_car_{an 22}",
    "runway": "key_{hex 128}", "luma": "luma-" + UUID + "-{hex 8}", "zhipu": "{hex 32}.{an 16}", "fal": UUID + ":{hex 32}", "steel": "ste-{an 60}",
    "github-app-refresh": "ghr_{an 76}", "gitlab-feed": "glft-{url 20}", "slack-config": "xoxe.xoxp-1-{an 160}", "npm-automation": "npm_{an 36}", "mergefreeze": "mfo_{an 24}",
    "duffel": "duffel_live_{url 43}", "polar": "polar_oat_{an 48}", "doppler-service": "dp.st.prd.{an 43}", "statuspage": "ATCTT3xFfG{url 120}={up 8}",
    "knock": "sk_live_{url 43}", "clerk": "sk_live_{an 42}", "novu": "nv-{hex 32}",
    "riot": "RGAPI-" + UUID, "wundergraph": "cosmo_{hex 32}", "paseto": "v4.local.{url 90}", "paserk": "k4.secret.{url 86}", "ntlm": "TlRMTVNTUAADAAAA{b64 200}",
    "aikido": "AIK_SECRET_{an 64}", "cloudsmith-account": "csa_{hex 30}{an 6}", "mergify": "mergify_application_key_{url 80}", "miro": "eyJtaXJvLm9yaWdpbiI6_{an 27}",
    "workato": "wrkaus-eyJ{an 40}.{an 60}.{url 90}", "devin": "apk_{b64 90}==", "exoscale-new": "EXO{an 26}", "pinterest-new": "pina_{an 60}", "polar-oauth": "polar_at_{an 40}",
    "notify-canada": "ApiKey-v1 gcntfy-lamp-" + UUID + "-" + UUID, "warp": "wk-1.{hex 64}", "svix": "whsec_{b64 31}/", "azure-openai-new": "{an 52}JQQJ9DBFACYeBjFXJ3w3AAABACOG{an 4}",
    "planetscale-service": "pscale_tkn_{url 43}", "turso-group": "eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJ{an 90}.{url 86}",
}  # fmt: skip

# Without: looked for as the provider's documentation tells people to keep or to send it.
SETTINGS: dict[str, tuple[str, str]] = {
    "datadog": ("export DD_API_KEY=@", "{hex 32}"), "datadog-application": ('-H "DD-APPLICATION-KEY: @"', "{hex 40}"), "cohere": ('CO_API_KEY="@"', "{an 40}"),
    "mistral": ("MISTRAL_API_KEY=@", "{an 32}"), "fastly": ("curl -H 'Fastly-Key: @' https://api.fastly.com/service", "{url 32}"), "ibm-cloud": ("ibmcloud login --apikey @", "{url 44}"),
    "pagerduty": ("Authorization: Token token=@", "u+{an 18}"), "algolia": ("X-Algolia-API-Key: @", "{hex 32}"), "assemblyai": ('headers = {"authorization": "@"}', "{hex 32}"),
    "deepgram": ("Authorization: Token @", "{hex 40}"), "codecov": ("CODECOV_TOKEN=@", UUID), "rollbar": ("ROLLBAR_ACCESS_TOKEN: @", "{hex 32}"), "hetzner": ("export HCLOUD_TOKEN=@", "{an 64}"),
    "linode": ("LINODE_TOKEN=@", "{hex 64}"), "scaleway-secret": ("SCW_SECRET_KEY=@", UUID), "vultr": ('Authorization: Bearer @', "{up 36}"), "ovh": ("application_secret=@", "{an 32}"),
    "bunny": ('--header "AccessKey: @"', UUID), "upstash": ('UPSTASH_REDIS_REST_TOKEN="@"', "AX{an 50}=="), "railway": ("RAILWAY_TOKEN=@ railway up", UUID), "cloudsmith": ("export CLOUDSMITH_API_KEY=@", "{hex 40}"),
    "opsgenie": ("Authorization: GenieKey @", UUID), "postmark": ("X-Postmark-Server-Token: @", UUID), "sparkpost": ("Authorization: @", "{hex 40}"), "mixpanel": ("mixpanel_secret = '@'", "{hex 32}"),
    "messagebird": ("Authorization: AccessKey @", "{an 25}"), "amplitude": ('"api_key": "@"', "{hex 32}"), "auth0": ("AUTH0_CLIENT_SECRET=@", "{url 64}"), "zendesk": ("ZENDESK_API_TOKEN=@", "{an 40}"),
    "exa": ("x-api-key: @", UUID), "serper": ("X-API-KEY: @", "{hex 40}"), "serpapi": ("https://serpapi.com/search?q=x&api_key=@", "{hex 64}"), "fullstory": ("Authorization: Basic @", "na1.{an 60}"),
    "wandb": ("wandb login @", "{hex 40}"), "livekit": ("LIVEKIT_API_SECRET=@", "{an 44}"), "twitch": ("Client-Secret: @", "{low 30}"), "spotify": ("SPOTIFY_CLIENT_SECRET=@", "{hex 32}"),
    "azure-openai": ("AZURE_OPENAI_API_KEY=@", "{an 84}"), "snowflake": ("snowsql -a x -u me  # SNOWSQL_PWD=@", "{an 12}!4"), "confluent": ("sasl.password=@", "{b64 64}"), "mailjet": ("MJ_APIKEY_PRIVATE=@", "{hex 32}"),
    "cloudflare-global": ("X-Auth-Key: @", "{hex 37}"), "jenkins": ("curl -u admin:@ https://ci.local/job/x/build", "11{hex 32}"), "gitea": ("Authorization: token @", "{hex 40}"), "jira-server": ("JIRA_PAT=@", "{b64 44}"),
    "vonage": ("VONAGE_API_SECRET=@", "{an 16}"), "pusher": ("PUSHER_APP_SECRET=@", "{hex 20}"), "gcp-service-account": ('"private_key": "@"', "-----BEGIN PRIVATE KEY-----\\n{b64 64}\\n{b64 64}\\n-----END PRIVATE KEY-----\\n"),
}  # fmt: skip

# Nothing in these says what they are, and many an id looks like them: found behind a word for a secret, and not in a sentence.
UNMARKED = frozenset(("asana", "checkout-com", "tableau", "ably", "zhipu", "fal"))
UNNAMED = frozenset(("jira-server",))  # `pat` is no word that we could look for
