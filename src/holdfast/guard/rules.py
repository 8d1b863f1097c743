"""What secrets look like: facts about formats, as tables. How they are searched for is in redaction.py.

Four ways in which a text gives a secret away:

    TOKENS     a prefix that its issuer chose so that it can be recognised, and token characters behind it (tokens.py)
    SHAPES     a telltale somewhere in it, and an expression around that
    WORDS      a word for a secret, and a value assigned to it: `DB_PASSWORD=…`, `"apiKey": "…"`, `the password is …`
    NAMES      the name of a service as the key itself: `sourcegraph: …`

A prefix with twenty or more token characters behind it is a secret whatever its nominal length: issuers make their tokens
longer without asking us. Where a prefix is short or a word of its own (`sk-`, `re_`), what follows must look random besides.
"""

from __future__ import annotations

import re

from .tokens import ALPHABETS, FORMS, PLAIN, TOKENS

__all__ = [
    "ALPHABETS", "ARMOUR", "BODIES", "FORMS", "IS", "KEY_WORDS", "LINE", "NAMES", "OF", "PASSWORD_WORDS", "PLAIN", "SCHEMES",
    "SHAPES", "TO", "TOKENS", "UNSURE_IS", "expression",
]  # fmt: skip

_made: dict[str, re.Pattern[str]] = {}


def expression(source: str) -> re.Pattern[str]:
    """An expression, compiled when it is first needed: a text with nothing to check must not wait for it."""
    found = _made.get(source)
    if found is None:
        found = _made[source] = re.compile(source)
    return found


# ---- shapes ------------------------------------------------------------------------------------------------------------
# (kind, telltales, how far before the telltale it begins (below zero: with the word there, at most so far), expression; its
# group 1 is the secret where there is one; LINE: the expression begins where the line does)

LINE = 400  # characters of a line before a telltale, at most
_GIVEN = r"[\"']?([^\s\"'$-][^\s\"']{3,80})"  # an argument that may be quoted, and is no flag and no variable
_ARGUMENT = r"[\"'][^\"'\n]{0,120}[\"']\s{0,4},"  # of a call, before the last
_LAST = r"[\"']([^\"'\n$]{4,128})[\"']"
# An argument that may be quoted: all between the quotes, or to the next space, and then no flag and no variable.
_QUOTED_OR_BARE = r"[\"']?((?<=')[^'\n]{3,80}(?=')|(?<=\")[^\"\n$][^\"\n]{2,80}(?=\")|(?<![\"'])[^\s\"'$-][^\s\"']{3,80})"
_EDGE = r"(?:(?<![0-9A-Za-z])|(?<=\\[nrtbf]))"  # no letter or digit before it, but a line's end as JSON writes it

SHAPES: tuple[tuple[str, tuple[str, ...], int, str], ...] = (
    ("putty-key", ("Private-Lines:",), 0, r"Private-Lines: \d{1,4}\r?\n((?:[A-Za-z0-9+/=]{1,100}\r?\n?){1,400}+)"),
    ("minisign-key", ("RWRTY0Iy",), 0, r"RWRTY0Iy[A-Za-z0-9+/=]{40,400}"),
    (
        "jwt",
        ("eyJ",),
        0,
        r"(?<![A-Za-z0-9_-]{2})eyJ[A-Za-z0-9_=-]{10,4000}+\.(?:[A-Za-z0-9_=-]{9,8000}+)?(?:\.[A-Za-z0-9_=+/-]{6,4000}+){1,4}",
    ),
    ("ebay-token", ("v^1.1#",), 0, r"v\^1\.1#(?:[A-Za-z]\^[0-9]{1,4}#){1,8}t\^([A-Za-z0-9+/=]{60,4000})"),
    ("grafana-key", ("eyJrIjoi",), 0, r"eyJrIjoi[A-Za-z0-9+/=_-]{40,400}"),
    ("telegram-token", (":AA",), -14, _EDGE + r"(?:bot)?([0-9]{7,11}:AA[A-Za-z0-9_-]{30,40})(?![A-Za-z0-9_-])"),
    ("mailchimp-key", ("-us",), 32, _EDGE + r"[0-9a-f]{32}-us[0-9]{1,2}(?![0-9A-Za-z])"),
    ("terraform-token", (".atlasv1.",), -16, r"[A-Za-z0-9]{10,16}\.atlasv1\.[A-Za-z0-9_=-]{50,80}"),
    (
        "azure-client-secret",
        ("Q~",),
        4,
        r"(?:(?<![A-Za-z0-9_~.])|(?<=\\[nrtbf]))[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-]|\.[A-Za-z0-9_~])",
    ),
    # Keys of Azure carry the sign of their service near the end.
    (
        "azure-key",
        ("+ASt", "+ABa", "+ACR", "+AMC", "ACDb", "APIM"),
        76,
        r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{76}(?:\+A(?:St|Ba|CR|MC)|ACDb|APIM)[A-Za-z0-9+/]{5,6}==",
    ),
    (
        "azure-key",
        ("+ASb", "+AEh", "+ARm", "AIoT", "AzCa"),
        33,
        r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{33}(?:\+A(?:Sb|Eh|Rm)|AIoT|AzCa)[A-Za-z0-9+/]{5,6}=",
    ),
    ("azure-key", ("+ACR",), 42, r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{42}\+ACR[A-D][A-Za-z0-9+/]{5}(?![A-Za-z0-9+/=])"),
    ("azure-key", ("AzSe",), 42, _EDGE + r"[A-Za-z0-9]{42}AzSe[A-Za-z0-9]{5,6}(?![A-Za-z0-9])"),
    ("azure-key", ("AzFu",), 44, r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5,6}=="),
    ("azure-key", ("JQQJ99", "JQQJ9D", "JQQJ9H"), 52, _EDGE + r"[A-Za-z0-9]{52}JQQJ9[9DH][A-Za-z0-9]{20,40}"),
    ("azure-devops-token", ("AZDO",), 76, _EDGE + r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])"),
    ("maxmind-key", ("_mmk",), 36, _EDGE + r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![A-Za-z0-9])"),
    ("rapidapi-key", ("msh",), 10, _EDGE + r"[A-Za-z0-9]{10}msh[A-Za-z0-9]{15}p1[A-Za-z0-9]{6}jsn[A-Za-z0-9]{12}(?![A-Za-z0-9])"),
    (
        "webex-token",
        ("_PF84_", "_P0A1_", "_PE93_"),
        64,
        _EDGE + r"[A-Za-z0-9]{64}_P[A-Z0-9]{3}_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    ),
    ("line-token", ("1O/w1cDnyilFU=",), 158, r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{158}1O/w1cDnyilFU="),
    ("coinbase-key", ("/apiKeys/",), 50, r"organizations/[0-9a-f-]{36}/apiKeys/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"),
    ("tines-webhook", (".tines.com/",), 0, r"\.tines\.com/webhook/([0-9a-f]{32}/[0-9a-f]{32})"),
    ("kubeadm-token", ("kubeadm",), 0, r"kubeadm[ \t][^\n]{0,160}?--token[ \t=]{1,4}([a-z0-9]{6}\.[a-z0-9]{16})(?![A-Za-z0-9])"),
    ("firebase-key", (":APA91b",), 11, r"AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,180}"),
    ("okta-token", ("SSWS 00",), 0, r"SSWS (00[A-Za-z0-9_-]{40})(?![A-Za-z0-9_-])"),
    ("wandb-key", ("wandb login",), 0, r"wandb login (?:--\S{1,20} ){0,2}([0-9a-f]{40})(?![0-9A-Za-z])"),
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
    ("url-signature", ("signature=",), 7, r"(?:X-Goog-|[^\n]{6}[?&])Signature=([A-Za-z0-9%/+~_-]{27,1200}=?)"),
    # Right behind the id of a key, whatever stands between them.
    (
        "aws-secret-key",
        ("akia", "asia"),
        0,
        r"A[KS]IA[A-Z0-9]{16}[\"'\s,:;|]{1,6}([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])",
    ),
    # As Jenkins keeps what it has encrypted, and as it is shown: `<secret>{AQAAABAAAA…}</secret>`.
    ("jenkins-secret", ("AQAAABAAA",), 0, r"AQAAABAAA ?([A-Za-z0-9+/=_.:|-]{8,2000})"),
    ("tableau-token", ("==:",), 22, r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{22}==:[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    (
        "jwk",
        ('"d":', '"k":'),
        0,
        r'"[dk]":[ \t]{0,4}"(?=[^"\n]{0,60}[A-Z])(?=[^"\n]{0,60}[0-9])([A-Za-z0-9_-]{40,1400})"',
    ),
    ("masked-secret", ("::add-mask::",), 0, r"::add-mask::([^\s$]{8,200})"),
    # Addresses with the key in their path.
    (
        "url-key",
        (
            *("blynk-cloud.com/",),
            *("infura.io/", "alchemy.com/", "quiknode.pro/", "getblock.io/", ".ankr.com/", "softlayer.com/", ".make.com/"),
            "guilded.gg/",
        ),
        0,
        r"(?:blynk-cloud\.com|infura\.io|alchemy\.com|quiknode\.pro|getblock\.io|\.ankr\.com|softlayer\.com|\.make\.com|guilded\.gg)"
        r"/(?:[A-Za-z0-9_.-]{1,40}/){0,3}([A-Za-z0-9_-]{30,128})(?![A-Za-z0-9_-])",
    ),
    ("sentry-dsn", ("://",), 0, r"://([0-9a-f]{32}(?::[0-9a-f]{32})?)@(?:o[0-9]|sentry)"),
    ("url-token", ("://",), 0, r"://([A-Za-z0-9_-]{20,255})@(?=[A-Za-z0-9\[])"),
    ("url-password", ("://",), 0, r"://(?:[^\s:/@\"'<>?#]{0,100}):([^\s/\"'<>]{3,200})@(?=[A-Za-z0-9\[_$%{])"),
    (
        "basic-auth",
        (" -u", "--user", "--proxy-user"),
        0,
        r"(?: -u|(?<![A-Za-z0-9_])--(?:proxy-)?user)(?:[ \t]{1,4}|=)?[\"']?(?:[^\s:\"'{}()]{0,80})[\"']?:[\"']?"
        r"([^\s\"':][^\s\"']{2,120})",
    ),
    ("basic-auth", ("curl ",), 0, r"curl [^\n]{0,200}?-u[ \t]{1,4}[\"']?([^\s:\"'$]{8,120}):[\"'\s]"),
    (
        "netrc-password",
        ("machine", "login"),
        0,
        r"(?:machine\s{1,9}\S{1,100}\s{1,9}login\s{1,9}\S{1,100}\s{1,9}password\s{1,9}|login\s{1,9}\S{1,100}\s{1,9}password\s{1,9}"
        r"(?![A-Za-z]{3,40}(?:[ \t.,]|\Z)))(\S{3,200})",  # not a word of prose, where no machine is named
    ),
    (
        "mysql-password",
        ("mysql", "mariadb"),
        0,
        r"(?:mysql|mariadb)(?:-?(?:dump|admin|check|import|show|sh))?[ \t][^\n|;&]{0,120}?(?<=[ \t])-p"
        rf"{_QUOTED_OR_BARE}",
    ),
    # Clients that take a user with `-u` or `-U` and a password with `-P`, `-pw`, `-gp` or `/pass:`.
    (
        "command-password",
        ("sqlcmd", "ipmitool", "mosquitto_", "bcp "),
        0,
        r"(?:sqlcmd|ipmitool|mosquitto_(?:pub|sub|rr)|bcp)[ \t][^\n|;&]{0,200}?(?<=[ \t])-P[ \t]{0,4}"
        rf"{_QUOTED_OR_BARE}",
    ),
    (
        "command-password",
        ("plink", "pscp", "psftp", "vmrun"),
        0,
        r"(?:plink|pscp|psftp|vmrun)(?:\.exe)?[ \t][^\n|;&]{0,200}?(?<=[ \t])-(?:pw|gp)[ \t]{1,4}"
        rf"{_QUOTED_OR_BARE}",
    ),
    (
        "command-password",
        ("psexec",),
        0,
        rf"(?i:psexec)(?:64)?(?:\.exe)?[ \t][^\n|;&]{{0,200}}?(?<=[ \t])-p[ \t]{{1,4}}{_QUOTED_OR_BARE}",
    ),
    (
        "command-password",
        ("cmdkey", "wmic"),
        0,
        rf"(?i:cmdkey|wmic)[ \t][^\n]{{0,200}}?/(?i:pass|password):{_QUOTED_OR_BARE}",
    ),
    (
        "told-password",
        ("snmpwalk", "snmpget", "snmpset", "snmpbulkwalk"),
        0,
        rf"snmp(?:bulk)?(?:walk|get|set)[ \t][^\n|;&]{{0,120}}?(?<=[ \t])-c[ \t]{{1,4}}{_QUOTED_OR_BARE}",
    ),
    # A Wi-Fi network as a QR code has it: `WIFI:S:Home;T:WPA;P:…;;`.
    (
        "wifi-password",
        ("wifi:",),
        0,
        r"(?i:wifi:)(?:(?!P:)[A-Za-z0-9]{1,4}:(?:[^;\\\n]|\\.){0,80};){0,6}P:((?:[^;\\\n]|\\.){4,63});",
    ),
    (
        "unseal-key",
        ("unseal key", "recovery key"),
        0,
        r"(?i:unseal|recovery) (?i:key)(?: [0-9]{1,2})?[ \t]{0,2}[:=][ \t]{0,4}([A-Za-z0-9+/]{40,64}={0,2})(?![A-Za-z0-9+/=])",
    ),
    # The token of a tunnel of Cloudflare: a small JSON object in base64.
    ("cloudflare-tunnel-token", ("eyJhIjoi",), 0, r"eyJhIjoi[A-Za-z0-9+/=_-]{100,400}"),
    ("mattermost-webhook", ("/hooks/",), 0, r"/hooks/([a-z0-9]{26})(?![A-Za-z0-9/_-])"),
    # What a network or a directory shows of a password: as good as the password, once it is guessed.
    (
        "password-hash",
        ("$krb5",),
        0,
        r"\$krb5(?:tgs|asrep|pa)\$[0-9]{1,2}\$[^\s:]{0,200}[$:][0-9a-fA-F]{32}\$[0-9a-fA-F]{40,6000}",
    ),
    (
        "password-hash",
        ("$y$", "$7$", "$p$", "$h$", "$s$", "$scrypt$", "$gy$"),
        0,
        r"\$(?:g?y\$[./A-Za-z0-9]{2,8}\$[./A-Za-z0-9]{4,86}\$[./A-Za-z0-9]{43}|7\$[./A-Za-z0-9]{11,97}\$[./A-Za-z0-9]{43}"
        r"|[PH]\$[5-9A-Z][./A-Za-z0-9]{30}(?![./A-Za-z0-9])|S\$[./A-Za-z0-9]{52}(?![./A-Za-z0-9])"
        r"|scrypt\$[a-z0-9=,]{5,40}\$[A-Za-z0-9+/]{8,80}\$[A-Za-z0-9+/]{16,120})",
    ),
    (
        "password-hash",
        ("pbkdf2",),
        0,
        r"pbkdf2[_:-]sha[0-9]{1,3}[$:][0-9]{1,8}[$:][A-Za-z0-9+/]{6,64}={0,2}[$:][A-Za-z0-9+/]{20,120}={0,2}",
    ),
    ("password-hash", ("{ssha", "{smd5}"), 0, r"(?i:\{(?:SSHA(?:256|384|512)?|SMD5)\})([A-Za-z0-9+/]{20,140}={0,2})"),
    # A client that is made of an id and a secret: `Client("AC…", "…")`.
    (
        "call-key",
        ("client(", "client.new(", "twilio"),
        0,
        r"(?i:client(?:\.new)?|twilio[\w.:]{0,20}[\"']?\)?)\(\s{0,20}(?:[\"'][^\"'\n]{0,120}[\"']|[\w.$>-]{1,60}(?:\[[^\]\n]{1,60}\])?)"
        r"\s{0,20},\s{0,20}[\"']([A-Za-z0-9_+/=-]{20,128})[\"']",
    ),
    (
        "sql-password",
        ("identified by",),
        0,
        r"IDENTIFIED\s{1,4}BY\s{1,4}(?:PASSWORD\s{1,4})?[\"']([^\"'\n]{3,200})[\"']",
    ),
    (
        "sql-password",
        ("create user", "alter user", "create role", "alter role"),
        0,
        r"(?i:(?:create|alter) (?:user|role))\s[^\n;]{1,160}?(?i:password|identified by)\s{1,4}[\"']([^\"'\n]{3,200})[\"']",
    ),
    (
        "login-password",
        ("login",),
        0,
        r"login[ \t][^\n|;&]{0,160}?-p(?<=[ \t]-p)[ \t]{1,4}(?![0-9]{1,5}(?:\s|$))[\"']?([^\s\"'$-][^\s\"']{3,200})",
    ),
    ("vault-login", ("vault login",), 0, r"vault login[ \t]{1,4}(?:-\S{1,40}[ \t]{1,4}){0,4}([A-Za-z0-9._-]{20,200})"),
    (
        "command-password",
        (" -u",),
        0,
        r" -u[ \t]{1,4}[^\s\"'-][^\s]{0,80}[ \t]{1,4}-p[ \t]{1,4}(?![0-9.:]{1,24}(?:[\s/]|$))[\"']?([^\s\"'$-][^\s\"']{3,200})",
    ),
    ("command-password", ("sshpass",), 0, r"sshpass[ \t]{1,4}-p[ \t]{0,4}[\"']?([^\s\"'$]{3,200})"),
    ("command-password", ("requirepass", "masterauth"), 0, r"(?:requirepass|masterauth)[ \t]{1,4}[\"']?([^\s\"'$]{4,200})"),
    ("command-password", ("redis-cli",), 0, r"redis-cli[ \t][^\n|;&]{0,120}?(?:-a|--pass)[ \t=]{1,4}[\"']?([^\s\"'$]{4,200})"),
    ("command-password", ("-pass",), 0, r"-pass(?:in|out)?[ \t]{1,4}[\"']?pass:([^\s\"'$]{3,200})"),
    (
        "command-password",
        ("htpasswd",),
        0,
        r"htpasswd[ \t]{1,4}(?:-\w{1,8}[ \t]{1,4}){0,3}-\w{0,6}b\w{0,6}[ \t]{1,4}"
        r"(?:[^\s\"']{1,200}[ \t]{1,4}){1,2}[\"']?([^\s\"'$]{3,200})",
    ),
    ("command-password", ("zip -",), 0, rf"zip (?:-[A-Za-z0-9]{{1,4}}[ \t]{{1,4}}){{0,4}}-P[ \t]{{1,4}}{_QUOTED_OR_BARE}"),
    # What people tell, and what stands before the word for it.
    (
        "told-password",
        ("creds", "credentials", "zugangsdaten", "identifiants", "credenciales", "credenciais", "login", "log in as"),
        0,
        r"(?<![A-Za-z0-9_])(?i:creds|credentials|zugangsdaten|identifiants|credenciales|credenciais|login|log in as)"
        r"(?![A-Za-z0-9_])(?:[ \t](?:are|is|with|as|sind|sont))?"
        r"[ \t]{0,2}:?[ \t]{0,2}[`\"']?[A-Za-z0-9._@+-]{2,60}[`\"']?(?:[ \t]?[/:,][ \t]?|[ \t](?:with|and|mit|avec)[ \t])"
        r"[`\"']?([^\s`\"']{6,80}?)[`\"'.,;)]{0,2}(?:\s|\Z)",
    ),
    (
        "told-password",
        (
            *(" as the password", " as password", " as my password", " (the password)", " als passwort", " comme mot de passe"),
            *(" como contraseña", " como senha", " come password"),
        ),
        LINE,
        r"[^\n]{0,400}?(?<![^\s`\"'“„«])([^\s`\"'“„«]{6,80})[`\"'”“»]?"
        r" (?i:as (?:the |my )?password|\(the password\)|als passwort|comme mot de passe|como (?:contraseña|senha)"
        r"|come password)",
    ),
    (
        "piped-password",
        ("chpasswd",),
        LINE,
        r"[^\n]{0,300}?(?:echo|printf)[ \t]{1,4}(?:-[en]{1,2}[ \t]{1,4})?[\"']?[\w.-]{1,40}:([^\s\"'|]{3,80})[\"']?"
        r"[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?(?:/usr/sbin/)?chpasswd",
    ),
    (
        "piped-password",
        ("passwd --stdin", "sudo -s", "wrangler secret put", "gcloud secrets", "--password-stdin"),
        LINE,
        r"[^\n]{0,300}?(?:echo|printf)[ \t]{1,4}(?:-[en]{1,2}[ \t]{1,4})?[\"']?([^\s\"'$|]{4,200})[\"']?[ \t]{0,4}\|[^\n|]{0,80}?"
        r"(?:passwd --stdin|sudo -S|wrangler secret put|gcloud secrets|--password-stdin)",
    ),
    # Commands that take one as an argument.
    (
        "command-password",
        ("sqlplus ", "oracle:thin:"),
        0,
        r"(?:sqlplus |oracle:thin:)[\"']?[\w.$-]{1,60}/([^\s\"'/]{3,80})@(?://)?\w",
    ),
    (
        "command-password",
        ("convertto-securestring",),
        0,
        r"(?i:convertto-securestring)[ \t]{1,4}(?:-String[ \t]{1,4})?[\"']([^\"'$\n]{3,200})[\"']",
    ),
    ("told-password", ("net user ",), 0, r"net user [\w.\\-]{1,60}[ \t]{1,4}[\"']?([^\s\"'/*$][^\s\"']{3,80})"),
    ("told-password", ("net use ",), 0, r"net use [^\n]{1,120}?[ \t]([^\s\"'/*$][^\s\"']{3,80})[ \t]{1,4}/user:"),
    ("command-password", ("schtasks",), 0, rf"schtasks[ \t][^\n]{{0,200}}?/rp[ \t]{{1,4}}{_GIVEN}"),
    ("command-password", ("xfreerdp",), 0, rf"xfreerdp3?[ \t][^\n]{{0,200}}?/p:{_GIVEN}"),
    ("command-password", ("reg add",), 0, rf"reg add[ \t][^\n]{{0,200}}?[Pp]assword[^\n]{{0,60}}?/d[ \t]{{1,4}}{_GIVEN}"),
    (
        "command-password",
        ("ldap",),
        0,
        rf"ldap(?:search|modify|add|delete|whoami|passwd)[ \t][^\n]{{0,200}}?[ \t]-w[ \t]{{1,4}}{_GIVEN}",
    ),
    (
        "command-password",
        ("wpa_passphrase ",),
        0,
        r"wpa_passphrase (?:\"[^\"\n]{1,40}\"|[^\s\"]{1,40})[ \t]{1,4}[\"']?([^\s\"'$]{8,63})",
    ),
    (
        "command-password",
        ("smbclient", "rpcclient"),
        0,
        r"(?:smb|rpc)client[ \t][^\n]{0,200}?-U[ \t]{0,4}[\"']?[^\s%\"']{1,60}%([^\s\"'$]{3,80})",
    ),
    ("command-password", ("lftp",), 0, r"lftp[ \t][^\n]{0,120}?-u[ \t]{1,4}[\"']?[^\s,\"']{1,60},([^\s\"'$]{3,80})"),
    (
        "command-password",
        ("http -a", "https -a", "--auth"),
        0,
        r"(?:https? -a|--auth)[ \t=]{1,4}[\"']?[^\s:\"'$]{1,60}:([^\s\"'$/]{3,80})",
    ),
    ("command-password", ("ssh-keygen",), 0, rf"ssh-keygen[ \t][^\n]{{0,200}}?-[NP][ \t]{{1,4}}{_GIVEN}"),
    ("command-password", ("7z ", "7za "), 0, r"7za? [^\n]{0,120}?[ \t]-p([^\s\"'$-][^\s\"']{3,80})"),
    ("command-password", ("openssl enc",), 0, rf"openssl enc[ \t][^\n]{{0,200}}?[ \t]-k[ \t]{{1,4}}{_GIVEN}"),
    ("command-password", ("nickserv identify",), 0, rf"(?i:nickserv identify)[ \t]{{1,4}}{_GIVEN}"),
    ("command-password", ("--secret-string",), 0, rf"--secret-string[ \t=]{{1,4}}{_GIVEN}"),
    (
        "told-password",
        ("secret set ", "put-parameter"),
        0,
        rf"(?:secret set|put-parameter)[ \t][^\n]{{0,200}}?--value[ \t=]{{1,4}}{_GIVEN}",
    ),
    (
        "told-password",
        ("assword:",),
        0,
        r"assword:[^\n\"']{0,4}[\"']\)?;?\s{1,20}(?:send|child\.sendline\()[ \t]{0,4}[\"']([^\"'\n\\]{3,80})",
    ),
    # Calls that take one as their second or third argument.
    (
        "call-password",
        ("networkcredential", "httpbasicauth", "basicawscredentials", "auth=("),
        0,
        rf"(?i:networkcredential|httpbasicauth|basicawscredentials|auth=)[ \t]{{0,2}}\(\s{{0,20}}{_ARGUMENT}\s{{0,20}}{_LAST}",
    ),
    (
        "call-password",
        ("mysqli_connect", "mysql_connect", "dbi->connect", "getconnection(", "directoryentry("),
        0,
        r"(?i:mysqli?_connect|dbi->connect|getconnection|directoryentry)[ \t]{0,2}\(\s{0,20}"
        rf"{_ARGUMENT}\s{{0,20}}{_ARGUMENT}\s{{0,20}}{_LAST}",
    ),
    (
        "command-password",
        ("rabbitmqctl",),
        0,
        rf"rabbitmqctl[ \t]{{1,4}}(?:add_user|change_password)[ \t]{{1,4}}\S{{1,60}}[ \t]{{1,4}}{_GIVEN}",
    ),
    ("cisco-password", ("password 7 ",), 0, r"password 7 ([0-9A-F]{8,80})(?![0-9A-Za-z])"),
    ("sonar-token", ("sonar.login",), 0, r"sonar\.login[ \t]{0,4}=[ \t]{0,4}([A-Za-z0-9_]{30,60})(?![A-Za-z0-9_])"),
    (
        "session-cookie",
        ("phpsessid=", "jsessionid=", "sessionid=", "connect.sid="),
        0,
        r"(?i:phpsessid|jsessionid|sessionid|connect\.sid)=(?![0-9a-f]{8}-)([A-Za-z0-9%._+/-]{24,400})",
    ),
    (
        "cookie",
        ("cookie:",),
        0,
        r"[Cc]ookie:[ \t]{0,4}(?:[^\s;=]{1,60}=[^\s;]{0,19};[ \t]{0,2}){0,8}[^\s;=]{1,60}=([A-Za-z0-9%._+/=-]{20,2000})",
    ),
    (
        "seed-phrase",
        ("mnemonic", "seed phrase", "recovery phrase"),
        0,
        r"(?i:mnemonic|(?:seed|recovery) phrase)[\"']?[ \t]{0,4}(?:is|[:=])?[ \t]{0,4}[\"'`]?"
        r"((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])",
    ),
    ("pgpass", (":5432:",), 0, r":5432:[^\s:]{1,60}:[^\s:]{1,60}:([^\s:$]{4,120})(?=\s|$)"),
    (
        "password-hash",
        ("$apr1$", "$2y$", "$2b$", "$2a$", "$6$", "$5$", "$1$", "$argon2"),
        0,
        r"\$(?:(?:apr)?1\$[./A-Za-z0-9]{2,8}\$[./A-Za-z0-9]{22}|2[aby]\$[0-9]{2}\$[./A-Za-z0-9]{53}"
        r"|[56]\$(?:rounds=[0-9]{1,9}\$)?[./A-Za-z0-9]{2,16}\$[./A-Za-z0-9]{43,86}"
        r"|argon2[a-z]{1,2}\$v=[0-9]{1,3}\$[a-z0-9=,]{5,40}\$[A-Za-z0-9+/]{8,80}\$[A-Za-z0-9+/]{16,120})",
    ),
)

# A private key in armour is followed line by line; this is how it begins, in lower case.
ARMOUR: tuple[str, ...] = ("-----begin ", "---- begin ")
# And what its body has near its beginning, where the armour is missing (private_keys.py).
BODIES: tuple[str, ...] = (
    "ibaakb", "ibaakc", "ibadanbgkqhkig9w0baqef", "mhccaqeei", "mhqcaqeei", "migkagebbd", "mihcagebbe", "ageambagbyqgsm49",
    "ageambmgbyqgsm49", "caqawbqydk2v", "bgkqhkig9w0bbq", "gcsqgsib3dqefd", "b3blbnnzac1rzxktdjea",
)  # fmt: skip

# ---- words -------------------------------------------------------------------------------------------------------------
# Words for a password, in lower case: whatever is assigned to them is one, unless it plainly is not (a type, a variable).

PASSWORD_WORDS: tuple[str, ...] = (
    "password", "passwd", "passphrase", "passcode", "pwd", "pw", "passwort", "kennwort", "contraseña", "contrasena",
    "mot de passe", "senha", "palavra-passe", "wachtwoord", "lösenord", "adgangskode", "passord", "hasło", "heslo", "jelszó",
    "parola", "salasana", "lozinka", "geslo", "şifre", "пароль", "кодовое слово", "κωδικός", "密码", "密碼", "口令",
    "パスワード", "暗証番号", "비밀번호", "암호", "mật khẩu", "kata sandi", "รหัสผ่าน", "पासवर्ड", "كلمة المرور", "كلمة السر",
    "סיסמה", "סיסמא", "mdp", "비번", "psk",
    # As they are inflected, where that is more than an ending on a word in other letters than ours.
    "adgangskoden", "passordet", "passwordet", "hasłem", "şifresi", "şifreniz", "kata sandinya", "паролем", "паролата",
    # Further languages, and what people say instead.
    "الباسورد", "الرقم السري", "κωδικός πρόσβασης", "συνθηματικό", "лозинка", "slaptažodis", "parool", "lykilorð",
    "lykilorðið", "contrasenya", "wagwoord", "nenosiri", "pasahitza",
)  # fmt: skip

# Words for a key or token: what is assigned to them must look random.
KEY_WORDS: tuple[str, ...] = (
    "secret", "token", "key", "credential", "auth", "bearer", "密钥", "密鑰", "令牌", "ключ", "токен", "秘密鍵",
    "トークン", "clave", "jeton", "schlüssel", "clé", "chave", "키", "토큰", "pass", "appid", "_pat", "キー", "creds",
    "reporter_id",
)  # fmt: skip

# Services by whose name alone people keep a key. Names that are everyday words (`front`, `segment`) are left out: anything
# may be assigned to them.
NAMES: tuple[str, ...] = (
    "sourcegraph", "openai", "anthropic", "mailgun", "sendgrid", "twilio", "algolia", "datadog", "newrelic", "cloudflare",
    "stripe", "airtable", "pagerduty", "opsgenie", "rollbar", "bugsnag", "mapbox", "cohere", "deepgram", "assemblyai",
    "pinecone", "elevenlabs", "virustotal", "meraki", "wandb", "codecov", "travisci", "heroku", "vultr", "fastly", "okta",
    "auth0", "shodan", "etherscan", "infura", "bitly", "amplitude", "mixpanel", "giphy", "openweather", "zendesk",
    "abuseipdb", "accuweather", "adafruit", "adzuna", "aeroworkflow", "airbrake", "airvisual", "alchemyapi", "alconost",
    "aletheiaapi", "alibabacloud", "alienvault", "aliyun", "anypoint", "apideck", "apifonica", "apiflash", "apify",
    "apimatic", "apiscience", "apollographql", "appcues", "appfollow", "appsynergy", "apptivo", "artifactory", "audd",
    "autodesk", "autoklose", "aviationstack", "axonaut", "aylien", "ayrshare", "azuredevops", "bannerbear", "baremetrics",
    "baseten", "beebole", "billomat", "binance", "bitbar", "bitbucket", "bitcoinaverage", "bitfinex", "bitmex", "bittrex",
    "blazemeter", "blitapp", "bombbomb", "boostnote", "borgbase", "braintree", "brandfetch", "brevo", "browserbase",
    "browserless", "browserstack", "buddyns", "bugherd", "bugfender", "buildkite", "bunnycdn", "buttercms", "caflou",
    "calendarific", "calendly", "calorieninja", "campayn", "cannyio", "capsulecrm", "captaindata", "carboninterface",
    "caspio", "censys", "centralstationcrm", "cerebras", "chartmogul", "chatfuel", "checklyhq", "checkvist", "circleci",
    "clarifai", "clearbit", "clickhelp", "clickhouse", "clicksend", "clickup", "clinchpad", "clockify", "sms77",
    "clojars", "cloudconvert", "cloudelements", "cloudimage", "cloudinary", "cloudmersive", "cloudplan", "cloudsmith",
    "cloverly", "clustdoc", "codacy", "codeclimate", "coinapi", "coinbase", "coinlayer", "coinlib", "coinmarketcap",
    "commercejs", "companyhub", "contentful", "convertkit", "convier", "coralogix", "countrylayer", "coveralls",
    "crowdin", "cryptocompare", "currencycloud", "currencyfreaks", "currencylayer", "currencyscoop", "currentsapi",
    "customerio", "d7network", "databricks", "datagov", "deepai", "deepinfra", "deepl", "deepseek", "detectify",
    "detectlanguage", "dfuse", "diffbot", "digitalocean", "disqus", "dnscheck", "docusign", "documo", "doppler",
    "dotmailer", "dovico", "dronahq", "droneci", "dropbox", "dwolla", "dynalist", "dynatrace", "dyspatch",
    "eagleeyenetworks", "easyinsight", "easypost", "edamam", "edenai", "elasticemail", "enablex", "eraserio", "ethplorer",
    "etsy", "everhour", "exchangerateapi", "exchangeratesapi", "faceplusplus", "fakejson", "fastforex", "feedier",
    "fetchrss", "figma", "finage", "financialmodelingprep", "findl", "finicity", "finnhub", "fireworksai", "flatio",
    "fleetbase", "flickr", "flightapi", "flightlabs", "flightstats", "flowflu", "flutterwave", "fmfw", "formbucket",
    "foursquare", "frameio", "freshbooks", "freshdesk", "freshworks", "fullstory", "fusebill", "fxmarket", "geckoboard",
    "gengo", "geoapify", "geocodify", "geocodio", "geoipifi", "getemails", "getgeoapi", "getgist", "getresponse",
    "getsandbox", "gitter", "glassnode", "gocanvas", "gocardless", "godaddy", "grafana", "graphcms", "graphhopper",
    "groovehq", "groqcloud", "gtmetrix", "guardianapi", "gumroad", "gyazo", "happyscribe", "hellosign", "helpcrunch",
    "helpscout", "hereapi", "hetzner", "hiveage", "holidayapi", "honeycomb", "html2pdf", "hubspot", "huggingface",
    "hybiscus", "hypertrack", "ibmcloud", "iconfinder", "iexcloud", "imagekit", "imagga", "infobip", "insightly",
    "instabot", "integromat", "intrinio", "invoiceocean", "ipapi", "ipgeolocation", "ipify", "ipinfo", "ipinfodb",
    "ipquality", "ipstack", "jfrog", "jotform", "jumpcloud", "karmacrm", "kickbox", "klaviyo", "klipfolio", "kontent",
    "kucoin", "kylas", "langfuse", "languagelayer", "lastfm", "launchdarkly", "leadfeeder", "lemlist", "lendflow",
    "lessannoyingcrm", "lexigram", "linearapi", "linemessaging", "linenotify", "linkedin", "linkpreview", "linode",
    "liveagent", "livestorm", "locationiq", "logzio", "loggly", "loginradius", "lokalise", "loyverse", "m3o", "madkudu",
    "mailboxlayer", "mailchimp", "mailerlite", "mailersend", "mailjet", "mailmodo", "mailsac", "mandrill", "mapquest",
    "marketstack", "mattermost", "mavenlink", "maxmind", "meaningcloud", "mediastack", "meistertask", "mesibo",
    "messagebird", "metaapi", "metrilo", "mindmeister", "mistral", "mixmax", "mockaroo", "moonclerk", "moosend",
    "mrticktock", "myfreshworks", "myintervals", "nasdaqdatalink", "nethunt", "netlify", "neutrinoapi", "newsapi",
    "newscatcher", "nexmo", "nftport", "ngrok", "nicereply", "nozbe", "numverify", "nutritionix", "nvidia", "nylas",
    "nytimes", "oanda", "omnisend", "onedesk", "onelogin", "onepagecrm", "onesignal", "onfleet", "oopspam", "opencage",
    "opencagedata", "opengraphr", "openrouter", "openuv", "openweathermap", "optimizely", "owlbot", "packagecloud",
    "pandadoc", "pandascore", "paralleldots", "partnerstack", "pastebin", "paymoapp", "paymongo", "paypal", "paystack",
    "pdflayer", "pdfshift", "peopledatalabs", "pepipost", "perplexity", "pexels", "pinata", "pipedream", "pipedrive",
    "pivotaltracker", "pixabay", "plaid", "planetscale", "planviewleankit", "planyo", "plivo", "poloniex",
    "positionstack", "postageapp", "posthog", "postman", "postmark", "powrbot", "prodpad", "prospectcrm", "protocolsio",
    "proxycrawl", "purestake", "pubnub", "pushbullet", "pushover", "qase", "qualaroo", "qubole", "quickmetrics",
    "rapidapi", "rawg", "razorpay", "reallysimplesystems", "rebrandly", "recaptcha", "rentman", "repairshopr", "restpack",
    "ringcentral", "ritekit", "roboflow", "rocketreach", "roninapp", "route4me", "rownd", "rubygems", "runpod",
    "runrunit", "salesblink", "salescookie", "salesflare", "salesforce", "salesmate", "satismeter", "saucelabs",
    "scaleway", "scraperapi", "scraperbox", "scrapeowl", "scrapersite", "scrapestack", "scrapfly", "scrapingant",
    "scrapingbee", "screenshotapi", "screenshotlayer", "securitytrails", "selectpdf", "sendbird", "sendinblue",
    "sendpulse", "sentryio", "serpapi", "serper", "serphouse", "serpstack", "sheety", "sherpadesk", "shipday",
    "shipstation", "shopify", "shotstack", "shutterstock", "sigopt", "signable", "signalwire", "signaturit",
    "signupgenius", "simplesat", "simplynoted", "simvoly", "sinch", "sirv", "siteleaf", "skrapp", "skybiometry",
    "smartsheet", "smartsheets", "smartystreets", "snipcart", "snyk", "sonarcloud", "sonarqube", "sparkpost", "splunk",
    "spoonacular", "sportsmonk", "spotify", "squarespace", "squareup", "sslmate", "stabilityai", "statuscake",
    "statuspage", "stitchdata", "stockdata", "storecove", "stormglass", "storyblok", "storychief", "streamyard", "stytch",
    "sugester", "sumologic", "supabase", "supernotes", "surveyanyplace", "surveybot", "surveysparrow", "survicate",
    "swiftype", "tailscale", "tallyfy", "tatumio", "tavily", "taxjar", "teamgate", "teamviewer", "technicalanalysisapi",
    "telnyx", "testrail", "text2data", "textmagic", "theoddsapi", "thinkific", "thousandeyes", "ticketmaster", "tiingo",
    "timezoneapi", "tmetric", "todoist", "togetherai", "toggl", "tomorrowio", "tomtom", "tradier", "travelpayouts",
    "trello", "twelvedata", "twitch", "tyntec", "typeform", "ubidots", "unsplash", "upcdatabase", "uplead", "uploadcare",
    "uploadthing", "upstash", "uptimerobot", "upwave", "urlscan", "userflow", "userstack", "vatlayer", "vercel",
    "verimail", "veriphone", "versioneye", "viewneo", "visualcrossing", "voicegain", "vonage", "vouchery", "voyageai",
    "vpnapi", "vyte", "walkscore", "weatherapi", "weatherbit", "weatherstack", "webex", "webflow", "webscraper", "wepay",
    "whoxy", "wistia", "worksnaps", "workato", "worldcoinindex", "worldweather", "wrike", "yandex", "yelp",
    "youneedabudget", "yousign", "zapier", "zenkit", "zenscrape", "zenserp", "zeplin", "zerobounce", "zerotier", "zipapi",
    "zipbooks", "zipcodeapi", "zonka", "zoominfo", "agora", "airship", "alegra", "amadeus", "ambee", "apacta", "artsy",
    "asana", "avaza", "bamboohr", "beamer", "besttime", "blablabus", "browshot", "bulbul", "cexio", "chargebee", "cicero",
    "cliengo", "cloze", "contentstack", "dandelion", "dailyco", "dockerhub", "dreamhost", "duply", "fibery", "flowdash",
    "fulcrum", "gotify", "happi", "hotjar", "instatus", "iterable", "jiratoken", "jumpseller", "juro", "kanbantool",
    "kayako", "keenio", "kraken", "leankit", "linearb", "linearapp", "loadmill", "logdna", "mailjetsms", "mambu", "mezmo",
    "midise", "mondayapi", "mparticle", "nightwatch", "okx", "opsramp", "oxylabs", "papertrail", "parsehub", "parseur",
    "passbase", "pingdom", "polygonio", "productboard", "prospectio", "qualtrics", "quickbooks", "raygun", "recurly",
    "refiner", "roaring", "rockset", "rudderstack", "savvycal", "sharetribe", "signalfx", "skrappio", "smtp2go",
    "surveymonkey", "swrve", "teachable", "teamwork", "tickettailor", "tly", "toggltrack", "transferwise", "twitchapi",
    "unifyid", "unplugg", "vbout", "vimeo", "webengage", "whatcms", "whoisxml", "wistiaapi", "wordnik", "wunderlist",
    "xata", "xero", "yotpo", "zoho", "zulipchat",
)  # fmt: skip

# What may stand between a word and its value besides signs, as parts of expressions: `password of x`, `token is`, `set to`.
OF = r"for|of|on|für|von|der|zu|de|del|du|da|do|от|для|на|voor|van|dla|till"
IS = (
    r"is|was|ist|lautet|es|est|é|è|és|je|jest|brzmi|är|er|on|este|e|yra|ir|ni|là|adalah|budur|είναι|это|це|є|је|е|equals"
    r"|هي|هو|היא|הוא|है"
)
# Of these some are words of another kind elsewhere (`on`, `e`, `to`): what stands behind them must look like a password.
UNSURE_IS = frozenset(("on", "e", "er", "ir", "ni", "е"))
TO = r"(?:will|should|must)[ \t]be|to|auf|zu"
SCHEMES = (
    r"[Bb]earer|[Bb]asic|[Tt]oken|Bot|[Aa]pi-?[Kk]ey|Api-Token|SSWS|GenieKey|OAuth|Splunk|Zoho-oauthtoken|Key|AccessKey"
    r"|DeepL-Auth-Key|Klaviyo-API-Key|PVEAPIToken|JWT"
)
