import type { Finding } from '../../domain/text/redaction.ts';
import { looksSecret } from './looks-secret.ts';

/** Finds passwords in commands: `mysql -p…`, `curl -u name:…`, `echo … | sudo -S`, `IDENTIFIED BY '…'`. */
export function findCommandPasswords(text: string): Finding[] {
  if (!HINT.test(text)) return [];
  const findings: Finding[] = [];
  for (const option of OPTIONS) {
    for (const match of text.matchAll(option)) {
      const value = match[1] ?? '';
      const end = match.index + match[0].length;
      if (looksSecret(value, true)) findings.push({ rule: 'named-secret', start: end - value.length, end });
    }
  }
  return findings;
}

const HINT =
  /\b(?:mysql|mariadb|sshpass|docker|podman|helm|az\b|curl|redis-cli|mongo|sqlcmd|ldap|zip|7z|rar\b|htpasswd|smbclient|lftp|secrets?\b|echo|printf|xh|https?\s|sqlplus|cypher|rabbitmq|openssl|ssh-keygen|net\s{1,3}use|ipmi|x?freerdp|wpa_|pulumi)|keytool|storepass|keypass|with-token|-stdin|auth|login\(|\s-auth\s|identified|SecureString/i;
/** The rest of the same command, quoted or not. */
const BEFORE = '[^\\n;|&]{0,300}?\\s';
const VALUE = '\\\\{0,8}[\'"]?([^\\s\'"`\\\\]{8,200})';
/** Not of a variable. */
const LITERAL = VALUE.replace('`', '`$');
const NAME = '\\\\{0,8}[\'"]?[\\w.@+-]{1,100}';
/** A value that a command reads from its input. */
const READS =
  '--password-stdin|--with-token|\\bsudo\\b[^\\n;|&]{0,60}?\\s-S|\\bchpasswd\\b|\\bpasswd\\s{1,3}--stdin|\\bsecrets?\\s|\\benv\\s{1,3}add\\s';

const OPTIONS = [
  `\\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\\b${BEFORE}-p${VALUE}`,
  `\\bsshpass\\s{1,3}-p\\s{0,3}${VALUE}`,
  `\\b(?:docker|podman|helm|az)\\b[^\\n;|&]{0,60}\\blogin\\b${BEFORE}-p[\\s=]{1,3}${VALUE}`,
  `\\bredis-cli\\b${BEFORE}-a\\s{1,3}${VALUE}`,
  `\\bmongo(?:sh|dump|restore|export|import)?\\b${BEFORE}-p[\\s=]{1,3}${VALUE}`,
  `\\bsqlcmd\\b${BEFORE}-P\\s{0,3}${VALUE}`,
  `\\bldap(?:search|modify|add|delete|passwd|whoami)\\b${BEFORE}-w\\s{1,3}${VALUE}`,
  `\\b(?:unzip|zip)\\b${BEFORE}-P\\s{0,3}${VALUE}`,
  `\\b(?:7z[az]?|unrar|rar)\\b${BEFORE}-(?:h?p)${VALUE}`,
  `\\bhtpasswd\\s{1,3}-[A-Za-z0-9]{0,6}b[A-Za-z0-9]{0,6}\\s{1,3}\\S{1,200}\\s{1,3}\\S{1,100}\\s{1,3}${VALUE}`,
  `\\bcurl\\b${BEFORE}(?:-[A-Za-z]{0,8}u|-U|--user|--proxy-user)[\\s=]{0,3}${NAME}:${VALUE}`,
  // A token as the name, with an empty password
  `\\bcurl\\b${BEFORE}(?:-u|--user)[\\s=]{0,3}['"]?([A-Za-z0-9_-]{20,200})(?=:['"\\s])`,
  `\\b(?:https?|xh)\\s${BEFORE}?-a\\s{1,3}${NAME}:${VALUE}`,
  `\\bsmbclient\\b${BEFORE}-U\\s{0,3}${NAME}%${VALUE}`,
  `\\blftp\\b${BEFORE}-u\\s{1,3}${NAME},${VALUE}`,
  `\\s-auth[\\s=]{1,3}${NAME}:${VALUE}`,
  `\\bsecrets?\\s{1,3}(?:set|put|add|create)\\b${BEFORE}(?:-b|--body|--value)[\\s=]{1,3}${VALUE}`,
  `\\bsecret\\b${BEFORE}--from-literal[\\s=]{1,3}${NAME}=${VALUE}`,
  `\\bsecrets?\\s{1,3}(?:set|put|add|create)\\b${BEFORE}[\\w.-]{1,80}=${VALUE}`,
  `--secret-string[\\s=]{1,3}${VALUE}`,
  `(?:--with-token|-stdin)\\s{1,3}<<<\\s{0,3}${LITERAL}`,
  `\\bpulumi\\b${BEFORE}--secret\\s{1,3}[\\w:.-]{1,80}\\s{1,3}${VALUE}`,
  `\\bsqlplus\\s{1,3}(?:-\\w{1,3}\\s{1,3}){0,3}\\w{1,40}/([^\\s'"\`\\\\@/]{8,200})(?=@)`,
  `\\b(?:cypher-shell|ipmitool)\\b${BEFORE}-[pP]\\s{1,3}${VALUE}`,
  `\\brabbitmqctl\\s{1,3}(?:add_user|change_password)\\s{1,3}\\S{1,80}\\s{1,3}${VALUE}`,
  `-(?:src|dest)?(?:store|key)pass\\s{1,3}(?:pass:)?${VALUE}`,
  `\\bopenssl\\s{1,3}enc\\b${BEFORE}-k\\s{1,3}${VALUE}`,
  `\\bssh-keygen\\b${BEFORE}-[NP]\\s{1,3}${VALUE}`,
  `\\bnet\\s{1,3}use\\b${BEFORE}/user:\\S{1,80}\\s{1,3}${VALUE}`,
  `\\bx?freerdp\\b${BEFORE}/p:${VALUE}`,
  `\\bwpa_passphrase\\s{1,3}\\S{1,80}\\s{1,3}${VALUE}`,
  // `auth=("name", "…")`, `.auth('name', '…')`, `login("name", "…")`
  `(?:\\b[aA]uth(?:\\s{0,3}=\\s{0,3})?\\(|Basic_?[aA]uth\\(|\\b[lL]og_?[iI]n\\()\\s{0,3}["'][^"'\\n]{1,100}["'],\\s{0,3}${VALUE}(?=["'])`,
  `\\bConvertTo-SecureString\\s{1,3}(?:-String\\s{1,3})?${VALUE}`,
  `\\b(?:echo|printf)\\s(?:[^\\n;|&]{0,60}?\\s)?(?:${NAME}:)?${LITERAL}(?=\\\\{0,8}['"]?\\s{0,3}\\|[^\\n;|&]{0,200}?(?:${READS}))`,
  `\\b(?:IDENTIFIED|identified)\\s{1,3}(?:(?:WITH|with)\\s{1,3}\\S{1,40}\\s{1,3})?(?:BY|by)\\s{1,3}${VALUE}`,
].map((pattern) => new RegExp(pattern, 'g'));
