"""Secrets as people tell them and as tools show them, keys of issuers that were looked up later, and what only looks like either."""
# ruff: noqa: E501

from __future__ import annotations

import pytest

from holdfast.guard import entering as guard
from secret_samples import made

UUID = "{hex 8}-{hex 4}-{hex 4}-{hex 4}-{hex 12}"
CHOSEN, DRAWN = "vT7!kQ9xzB2m", made("{an 36}")
ACCESS_KEY, HASH = made("AKIA{up 16}"), made("{hex 32}")

# Prefix, alphabet and length as the table has them, so this says that the table works and not that it is right.
LATER = {
    "appsync": "da2-{low 26}", "azure-registry": "{b64 42}+ACRB{an 5}", "azure-service-bus": "{b64 33}+ASb{b64 6}=", "azure-event-hub": "{b64 33}+AEh{b64 6}=",
    "azure-iot": "{b64 33}AIoT{b64 6}=", "azure-redis": "{an 33}AzCaB{an 5}=", "azure-gateway": "{b64 76}APIM{b64 6}==", "entra-refresh": "1.A{url 60}.Ag{url 300}",
    "alibaba-session": "STS.N{an 24}", "github-installation": "ghs_1234567_eyJhbGciOiJSUzI1NiJ9.eyJ{an 120}.{url 86}", "slack-workflow": "xwfp-{num 12}-{an 40}",
    "shopify-user": "shpua_{hex 32}", "databricks": "dosp{hex 32}", "devin": "cog_{low 52}", "cursor": "crsr_{hex 64}", "factory": "fk-{url 40}", "amp": "sgamp_user_{up 26}_{hex 64}",
    "novita": "sk_{url 43}", "kaggle": "KGAT_{hex 32}", "hex": "hxtp_{hex 64}", "lightdash": "ldpat_{hex 32}", "alchemy": "alcht_{an 30}", "woocommerce": "cs_{hex 40}",
    "portainer": "ptr_{b64 43}=", "k3s": "K10{hex 64}::server:{hex 32}", "rancher": "token-{low 5}:{low 54}", "bitwarden": "0." + UUID + ".{an 30}:{b64 22}==",
    "depot": "depot_project_{hex 64}", "stackhawk": "hawk.{url 20}.{url 20}", "veracode": "vera01es-{hex 128}", "bitbucket-server": "BBDC-{b64 44}", "percy": "web_{hex 64}",
    "jetbrains": "perm-{an 20}=.{an 12}==.{an 30}", "teamcity": "eyJ0eXAiOiAiVENWMiJ9.{url 36}.{an 48}", "spaces": "DO00{up 16}", "akamai": "akab-{low 16}-{low 16}",
    "unleash": "*:development.{hex 64}", "configcat": "configcat-sdk-1/{url 22}/{url 22}", "firehydrant": "fhb-{hex 64}", "pagerduty": "pdus+_{an 8}_{hex 40}",
    "voiceflow": "VF.DM.{hex 24}.{an 16}", "webex": "{an 64}_PF84_" + UUID, "close": "api_{an 22}.{an 22}", "courier": "pk_prod_{up 28}", "tolgee": "tgpat_{low 52}",
    "rapidapi": "{hex 10}msh{hex 15}p1{hex 6}jsn{hex 12}", "apollo": "service:my-graph:{url 22}", "airtable-oauth": "oaa{an 14}.v1.{url 80}.{hex 64}", "klaviyo": "pk_{an 6}_{hex 34}",
    "asana": "1/{num 16}:{hex 32}", "dingtalk": "SEC{hex 64}", "nostr": "nsec1{low 58}", "nats": "SUA{up 55}", "swarm": "SWMTKN-1-{low 50}-{low 25}", "vk": "vk1.a.{url 170}",
    "swarm-unlock": "SWMKEY-1-{b64 43}", "newrelic-query": "NRIQ-{url 32}", "aikido-ci": "AIK_CI_{an 64}", "convex": "dev:happy-otter-123|{b64 100}", "yandex-cloud": "YC{url 36}{an 2}",
    "pushbullet": "o.{an 32}", "pubnub": "sub-c-" + UUID, "photoroom": "sandbox_{hex 40}", "locationiq": "pk.{hex 32}", "stripe-client": "pi_{an 24}_secret_{an 25}", "heartland": "skapi_cert_{url 38}",
    "qstash": "eyJVc2VySUQiOi{an 60}=", "aiven": "aivenv1{b64 300}", "confluent": "cflt{b64 60}", "elastic": "essu_{b64 70}==", "slack-cookie": "xoxd-{b64 60}%3D", "authress": "sc_{low 5}.acc_{low 10}.{low 5}.{b64 60}",
    "tableau": "{an 22}==:{an 32}",
}  # fmt: skip
PLACES = ["export ACME={}", '{{"cfg": "{}", "n": 1}}', "curl -H 'X-Thing: {}' https://x.local/a", "we used {} for the deploy, it worked.", "2026-11-16 INFO sent {} on"]


@pytest.mark.parametrize("name", sorted(LATER))
def test_a_token_is_known_by_what_its_issuer_says_of_it(name: str) -> None:
    """Wherever it stands, and none of its second half is left."""
    for number in range(3):
        secret = made(LATER[name], str(number))
        secret = secret.translate(str.maketrans("0189", "2345")) if name == "nats" else secret  # base32 has no others
        half = secret[len(secret) // 2 :]
        for place in PLACES:
            shown = guard.redacted(place.format(secret))[0]
            assert [half[at : at + 10] for at in range(len(half) - 9) if half[at : at + 10] in shown] == [], place


# §: a password that somebody chose.
TOLD = """
username bob password §|the login is bob with password §|new password §|the wifi password's §|temp password will be §|user bob / pass §|creds: bob/§
credentials: bob:§|login with bob / §|you can log in as bob with §|use § as the password|it's § (the password)|Zugangsdaten: bob / §|nimm § als Passwort
Benutzer bob, Passwort §|le mdp est §|mdp: §|le mot de passe du wifi est §|utilise § comme mot de passe|identifiants : bob / §|la clave es §
usuario bob, contraseña §|la password è §|usuário bob, senha §|пароль такой: §|пароль от базы — §|用户名bob，密码§|비번: §|lösenordet är §|heslo je §
password:~  §|set -x DB_PASSWORD §|git config user.password §|consul kv put db/password §|mysqladmin -u root password '§'|nmcli dev wifi connect Net password §|psk="§"
echo 'bob:§' | chpasswd|echo bob:§ | sudo chpasswd|echo '§' | passwd --stdin bob|echo '§' | sudo -S ls|printf '§' | gcloud secrets create x --data-file=-
sqlplus bob/§@ORCL|jdbc:oracle:thin:bob/§@h:1521/x|ConvertTo-SecureString "§" -AsPlainText|net user bob § /add|net use Z: \\\\s\\x § /user:bob|schtasks /create /ru bob /rp §
xfreerdp /u:bob /p:§ /v:h|reg add HKLM\\x /v DefaultPassword /t REG_SZ /d §|ldapsearch -D cn=x -w § -b dc=x|wpa_passphrase Net §|smbclient //s/x -U bob%§|lftp -u bob,§ sftp://h
http -a bob:§ GET x|ssh-keygen -t rsa -N '§' -f k|7z x a.7z -p§|keytool -genkey -storepass §|openssl enc -aes-256-cbc -k §|aws secretsmanager create-secret --secret-string §
aws ssm put-parameter --name x --value §|expect "assword:"~send "§\\r"|kubectl create secret generic db --from-literal=db-pass='§'|"passwords": ["§", "b"]
""".replace("\n", "|").strip("|")  # fmt: skip


def _ways(table: str) -> list[str]:
    """The ways of a table; a pipe of a shell has spaces around it."""
    return [way.replace("\x00", " | ") for way in table.replace(" | ", "\x00").split("|")]


@pytest.mark.parametrize("way", _ways(TOLD))
def test_a_password_is_found_as_people_tell_it(way: str) -> None:
    """In a chat of ten languages, in settings and as an argument."""
    for password in (CHOSEN, "Sommer2024!", "P@ssw0rd99"):
        shown = guard.redacted(f"hi,\n{way.replace('~', chr(10)).replace('§', password)}\nthanks")[0]
        assert password[-6:] not in shown, shown
        assert shown.startswith("hi,\n")
        assert shown.endswith("\nthanks")


KEYS = {
    "the heroku api key is @": UUID, "my datadog key is @": "{hex 32}", "private key: @": "{hex 64}", "AZURE_DEVOPS_EXT_PAT=@": "{low 52}", "GITHUB_PAT=@": "{hex 40}",
    "clé API : @": "{an 32}", "clave API: @": "{an 32}", "ключ API: @": "{an 32}", "APIキー: @": "{an 32}", "<apiKey>@</apiKey>": "{an 32}", "| api key | @ |": "{an 32}", '{"apiKey":{"value":"@"}}': "{an 32}", "-Dsonar.login=@": "{hex 40}",
    "PHPSESSID=@": "{low 26}", "connect.sid=s%3A@": "{url 32}.{an 43}", "https://x.local/weather?appid=@": "{hex 32}", 'api_key = \\\n  "@"': "{an 36}",
    "kubeadm join 10.0.0.1:6443 --token @": "{low 6}.{low 16}",
    "ACME KEY: @": "{hex 40}", "[DEBUG] Using acme KEY=@": UUID, "our acme key is @.": "{hex 32}", "| acme key | @ |": "{hex 32}", "https://x.local/v1?key=@&q=1": "{hex 32}", "acme credentials: @": "{hex 40}",
    '"acme_creds": "@"': "{an 32}", "client_credential='@'": "{hex 32}", "prodpad_token = '@'": "{hex 64}", 'const STOCKDATA_KEY = "@"': "{an 40}", "SHIP_API_KEY=@": "{an 11}.{an 24}", "shodan: @": "{an 32}",
    "<id>{acme}</id>\n<secret>{acme AQAAABAAA @}</secret>": "{low 32}", "<apiToken>{@}</apiToken>": "AQAAABAAAA{b64 60}=",
    'const ACME_TOKEN: &str = "@";': "{hex 64}", "const ACME_TOKEN: &'static str = \"@\";": "{hex 64}", "<key>AcmeAPIKey</key>\n\t<string>@</string>": "{hex 40}",
    '<meta-data android:name="com.acme.API_KEY"\n  android:value="@" />': "{hex 40}", "Authorization: Splunk @": UUID, "https://api.telegram.org/bot@/getMe": "{num 9}8:AA{url 33}", "https://mainnet.infura.io/v3/@": "{hex 32}",
    "https://eth-mainnet.g.alchemy.com/v2/@": "{url 32}", "https://hook.eu1.make.com/@": "{low 32}", "https://x.local/k?Expires=1&Signature=@&Key-Pair-Id=K": "{url 342}", "https://x.local/k?a=1&X-Goog-Signature=@": "{hex 512}",
    f"{ACCESS_KEY} @": "{b64 40}", f'new BasicAWSCredentials("{ACCESS_KEY}", "@")': "{b64 40}", '{"kty": "EC", "d": "@"}': "{url 43}", "::add-mask::@": "{an 32}",
    'new NetworkCredential("bob", "@")': "{an 14}", "mysqli_connect('db', 'root', '@', 'app')": "{an 14}", "requests.get(u, auth=('bob', '@'))": "{an 14}", "rabbitmqctl add_user bob @": "{an 14}",
    "enable secret 5 @": "$1${an 4}${an 22}", "username bob password 7 @": "0{num 15}",
}  # fmt: skip


@pytest.mark.parametrize("words", KEYS)
def test_a_key_without_a_mark_is_found_behind_the_words_for_it(words: str) -> None:
    """Also where the words are two, in other languages, or the name of a cookie."""
    for number in range(5):
        key = made(KEYS[words], str(number))
        assert key[-10:] not in guard.redacted(f"so:\n{words.replace('@', key)}\nend")[0]


def test_a_key_is_found_as_objective_c_writes_a_text() -> None:
    """With a mark before its quotes."""
    key = made("{low 32}")
    assert key[-10:] not in guard.redacted(f'NSString *acmeKey = @"{key}";')[0]


BODY = [made("{b64 64}", str(number)) for number in range(4)]
LINES = ["-----BEGIN RSA PRIVATE KEY-----", *BODY, "-----END RSA PRIVATE KEY-----"]
SHOWN = {
    "numbered": "\n".join(f"{number:6}\t{line}" for number, line in enumerate(LINES, 1)),
    "arrows": "\n".join(f"{number:6}→{line}" for number, line in enumerate(LINES, 1)),
    "commented": "\n".join(f"# {line}" for line in LINES),
    "slashes": "\n".join(f"// {line}" for line in LINES),
    "html": "<br>\n".join(LINES),
    "openvpn": "\n".join(["-----BEGIN OpenVPN Static key V1-----", *(made("{hex 32}", line) for line in BODY), "-----END OpenVPN Static key V1-----"]),
}


@pytest.mark.parametrize("how", SHOWN)
def test_a_private_key_goes_whole_however_a_tool_shows_it(how: str) -> None:
    """With the numbers of its lines before them, as an agent reads files, or commented out."""
    shown = guard.redacted(f"Read k.pem\n{SHOWN[how]}\nand on")[0]
    secrets = [made("{hex 32}", line) for line in BODY] if how == "openvpn" else BODY
    assert [secret for secret in secrets if secret[-12:] in shown] == []
    assert shown.endswith("\nand on")


# As base64 makes them of the first bytes of a key: RSA of three lengths, elliptic curves, both as PKCS #8, Ed25519, Ed448, under a
# password, and as OpenSSH writes it. Then of a public key, a certificate and a request for one.
HEADS = [
    "MIICXAIBAAKBgQC", "MIIEpQIBAAKCAQEA", "MIIJKQIBAAKCAgEA", "MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAw", "MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgw",
    "MHcCAQEEI", "MHQCAQEEI", "MIGkAgEBBD", "MIHcAgEBBEI", "MIGHAgEAMBMGByqGSM49AgEG", "MIG2AgEAMBAGByqGSM49AgEG", "MC4CAQAwBQYDK2VwBCIEI",
    "MEcCAQAwBQYDK2VxBDsEO", "MIIFNTBfBgkqhkiG9w0BBQ0wUjAx", "MIHsMFcGCSqGSIb3DQEFDTBKMCkG", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU",
]  # fmt: skip
PUBLIC = ["MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIB", "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE", "MIIDCTCCAfGgAwIBAgIU", "MIICVjCCAT4CAQAwETEPMA0GA1UE", "MCowBQYDK2VwAyEA"]
BARE = {
    "in a sentence": "so {one} it is", "in a table": "| 1 | {one} |", "as JSON": '{{"k": "{escaped}\\n"}}', "in lines": "Read k\n{lines}\nThanks.",
    "with their ends": "Read k\r\n{ended}\r\nThanks.", "numbered": "{numbered}\nThanks.", "to the footer": "{lines}\n-----END PRIVATE KEY-----\nThanks.",
}


def bare(how: str, lines: list[str]) -> str:
    """A key without the first line of its armour, as it may stand in a text."""
    numbered = "\n".join(f"{number:6}\t{line}" for number, line in enumerate(lines, 2))
    return BARE[how].format(one="".join(lines), lines="\n".join(lines), ended="\r\n".join(lines), escaped="\\n".join(lines), numbered=numbered)


@pytest.mark.parametrize("how", BARE)
@pytest.mark.parametrize("head", HEADS)
def test_a_private_key_that_has_lost_its_armour_goes_whole(head: str, how: str) -> None:
    """In a variable, in a database, or where a tool has cut off the first line: to its last one, and no word further."""
    lines = [head + made(f"{{b64 {64 - len(head)}}}"), *BODY, made("{b64 21}") + "9=="]
    shown = guard.redacted(bare(how, lines))[0]
    assert [line for line in lines if line[-12:] in shown or line[:12] in shown] == []
    assert shown.count("[redacted:private-key:") == 1
    assert shown.replace("\r", "").endswith(("\nThanks.", " it is", "|", '\\n"}'))


@pytest.mark.parametrize("head", PUBLIC)
def test_what_is_public_of_a_key_is_let_alone(head: str) -> None:
    """Public keys, certificates and requests for them stand in every repository."""
    text = bare("in lines", [head + made(f"{{b64 {64 - len(head)}}}"), *BODY])
    assert guard.redacted(text) == (text, ())


LOOKS = [
    "--update-labels=key1=value1,key2=value2", "name:passwd:uid:gid:gecos:dir:shell", "second_pass::take_over, Config::token::refresh2", "Token=::1a:2b:3c:4d",
    "sig_key: 1F:A0:93:5B:C2:77:0E:D4:68:B9:31:EE:42:8C:05:FA:6D:17:90:3C", "HostKeyAlgorithms sk-ssh-ed25519-cert-v01@openssh.com,sk-ecdsa-sha2-nistp256-cert-v01@openssh.com",
    "lamp/words.py,sha256=r8_kT3vQm9ZpXw2LdYb7HsNc4RfGj6Ua1Eo8Wi5CxB0q,14049", "lamp/types.py,sha256=et-M4kWz8RbTq1VnXc6YgPd3JhLs9FuEa7Io2Gt5BvQ0,4014",
    'type Mode = "none" | "token" | "password" | "trusted-proxy";', "readFile('/etc/passwd', 'utf8', done)", "key: LampBoundWindowKey;", "auth: WorkerBrightnessAuthPlan,",
    "def cached(self, key: MixedShapesCacheKey, x)", "STENCIL_BACK_PASS_DEPTH_PASS: 0x8803,", "`op://app-prod/db/password`: DB_PASSWORD=op://app-prod/db/password", "Rotation (token/password): generate/set a new one",
    "password: `GATEWAY_PASSWORD` -> `gateway.auth.password`", 'passphrase: "Optional passphrase used to decrypt the key"', 'ask_password("Password: ")', "password:``,onboarding:!1",
    "{email:!0,password:!0,range:!0,search:!0}", "{settings:r,password:e.password,lastError:e.lastError}", "typeof s.getBrightnessFromSwitch", "E||s.noLightOnSwitchRejection",
    "test_lamp_whenTurnTakesTooLong_thenPutsOutTheLightAndEndsTheDay", "lamp-turn--user{background:color-mix(in", "perldoc -u Some::Modulename", "enable login and password changing services",
    "if (secret === LampShapesSecret) {", "Bucket: 'lab', Key: '2min_15sec.mp4'", "the password is base64-encoded, the old one was SHA256-hashed", "contraseña: obligatoria", "hasło: wymagane",
    "password: !vault |", "we pass strlen+1 to it, and pass FcChar8* there", "password JIRA-1234 is done", "the password check in auth2.py:12 fails", "login with Google / GitHub", "creds: user/admin, creds: AWS/GCP", "toText(lampCredentialsV1Request: ChangeLampCredentialsV1Request)",
    "use it as the password", "use TypeScript as the password checker", "the password is end-to-end-encrypted", "new password page", "you can log in as bob with SSO", "run passwd bob first",
    f"the cache key is {HASH}", f"this key: {HASH}", f"gpg key: {HASH.upper()}A0B1C2D3", f"pad_token = '{HASH}'",
    "api_key = lamp.brightness.levelOfTheSecondFloorLamp2", "https://lamp.alchemy.com/docs/a/how-to-turn-on-the-light-of-the-second-floor", 'path = {"d": "how-to-turn-on-the-light-of-the-second-floor"}', "auth=('bob', 'password')",
    "echo $1$2 $3", "https://lamp.local/?signature=none&x=1", "o.lightOfTheSecondFloor(lamp), pi_total_secret_none", "convertTokens(lamp: &str) = 4",
    "git log | sudo -S is not needed", "password: see README.md", "credentials: 'same-origin'", "password v2.1.3 release", "password reset-2 flow",
]  # fmt: skip


@pytest.mark.parametrize("text", LOOKS)
def test_what_programs_and_people_say_about_secrets_is_let_alone(text: str) -> None:
    """Types, labels, records, sums, versions, tickets, references and sentences."""
    for said in (text, f"hi,\n{text}\nthanks"):
        assert guard.redacted(said) == (said, ())
