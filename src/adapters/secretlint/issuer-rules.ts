import type { Finding } from '../../domain/text/redaction.ts';

/** A kind of credential with a prefix documented by its issuer. */
interface Issuer {
  rule: string;
  /** The prefix: a regular expression without groups. */
  prefix: string;
  /** The rest: a regular expression. */
  rest: string;
  /** The screen's search term: by default the prefix, unless that may start with any letter or digit, which would be slow. */
  sign: string;
}

/** Credentials that the library's rules do not cover. */
export const ISSUERS: readonly Issuer[] = [
  issuer('adafruit', 'aio_', '[A-Za-z0-9]{28}'),
  issuer('age', 'AGE-SECRET-KEY-1', '[A-Z0-9]{58}'),
  issuer('airtable', 'pat[A-Za-z0-9]{14}\\.', '[a-f0-9]{64}'),
  issuer('alibaba', 'LTAI', '[A-Za-z0-9]{16,24}'),
  issuer('anthropic', 'sk-ant-', '[A-Za-z0-9_-]{24,180}'),
  issuer('atlassian', 'ATATT3', '[A-Za-z0-9_=-]{100,250}'),
  issuer('azure', '[A-Za-z0-9_~.-]{3}\\dQ~', '[A-Za-z0-9_~.-]{31,34}', 'Q~'),
  issuer('bitbucket', 'ATBB', '[A-Za-z0-9_=-]{24,40}'),
  issuer('buildkite', 'bkua_', '[a-f0-9]{40}'),
  issuer('circleci', 'CCIPAT_', '[A-Za-z0-9]{16,24}_[a-f0-9]{40}'),
  issuer('clojars', 'CLOJARS_', '[a-z0-9]{60}'),
  issuer('contentful', 'CFPAT-', '[A-Za-z0-9_-]{43}'),
  issuer('databricks', 'dapi', '[a-f0-9]{32}(?:-\\d)?'),
  issuer('digitalocean', 'do[opr]_v1_', '[a-f0-9]{64}'),
  issuer('discord', 'discord(?:app)?\\.com/api/webhooks/', '\\d{17,20}/[A-Za-z0-9_-]{60,80}'),
  issuer('docker', 'dckr_[op]at_', '[A-Za-z0-9_-]{27,40}'),
  issuer('doppler', 'dp\\.(?:ct|pt|st|sa|scim|audit)\\.', '(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}'),
  issuer('dynatrace', 'dt0c01\\.', '[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
  issuer('easypost', 'EZ[AT]K', '[A-Za-z0-9]{54}'),
  issuer('facebook', 'EAA[MC]', '[A-Za-z0-9]{100,250}'),
  issuer('figma', 'figd_', '[A-Za-z0-9_-]{40}'),
  issuer('fly', 'fm[12]_', '[A-Za-z0-9+/=_-]{100,1200}'),
  issuer('gitlab', 'gl(?:pat|dt|rt|ptt|cbt|ft|soat|imt|agent|oas)-', '[A-Za-z0-9_.-]{20,64}'),
  issuer('google-api', 'AIza', '[A-Za-z0-9_-]{35}'),
  issuer('google-oauth', 'GOCSPX-', '[A-Za-z0-9_-]{28}'),
  issuer('google-oauth', 'ya29\\.', '[A-Za-z0-9_-]{60,400}'),
  issuer('grafana', 'glsa_', '[A-Za-z0-9]{32}_[a-f0-9]{8}'),
  issuer('grafana', 'glc_', '[A-Za-z0-9+/]{32,400}={0,2}'),
  issuer('groq', 'gsk_', '[A-Za-z0-9]{48,60}'),
  issuer('heroku', 'HRKU-', '[A-Za-z0-9_-]{36,64}'),
  issuer('huggingface', 'hf_', '[A-Za-z0-9]{34}'),
  issuer('huggingface', 'api_org_', '[A-Za-z0-9]{34}'),
  issuer('jwt', 'eyJ[A-Za-z0-9_-]{8,400}\\.eyJ', '[A-Za-z0-9_-]{8,4000}\\.[A-Za-z0-9_-]{16,800}', '\\.eyJ'),
  issuer('langsmith', 'lsv2_(?:pt|sk)_', '[a-f0-9]{32}_[a-f0-9]{10}'),
  issuer('laravel', '\\d{1,8}\\|(?=[A-Za-z0-9]{40})', '[A-Za-z0-9]{40,48}', '\\d\\|[A-Za-z0-9]{40}'),
  issuer('linear', 'lin_oauth_', '[A-Za-z0-9]{32,64}'),
  issuer('mailchimp', '[a-f0-9]{32}-us', '\\d{1,2}', '-us\\d'),
  issuer('mailgun', 'key-(?=[a-f0-9]{32})', '[a-f0-9]{32}'),
  issuer('mapbox', 'sk\\.eyJ', '[A-Za-z0-9_-]{20,200}\\.[A-Za-z0-9_-]{20,100}'),
  issuer('netlify', 'nf[pcou]_', '[A-Za-z0-9]{36}'),
  issuer('newrelic', 'NR(?:AK|II|AA|JS|RA)-', '[A-Za-z0-9]{19,36}'),
  issuer('notion', 'ntn_', '[A-Za-z0-9]{40,50}'),
  issuer('npm', 'npm_', '[A-Za-z0-9]{36}'),
  issuer('openai', 'sk-(?:proj|svcacct|admin|None)-', '[A-Za-z0-9_-]{40,200}'),
  issuer('openrouter', 'sk-or-v1-', '[a-f0-9]{64}'),
  issuer('perplexity', 'pplx-', '[A-Za-z0-9]{48,56}'),
  issuer('pinecone', 'pcsk_', '[A-Za-z0-9_]{50,80}'),
  issuer('planetscale', 'pscale_(?:tkn|pw|oauth)_', '[A-Za-z0-9_.=-]{32,64}'),
  issuer('postman', 'PMAK-', '[a-f0-9]{24}-[a-f0-9]{34}'),
  issuer('pulumi', 'pul-', '[a-f0-9]{40}'),
  issuer('pypi', 'pypi-AgE', '[A-Za-z0-9_-]{50,1000}'),
  issuer('replicate', 'r8_', '[A-Za-z0-9]{37}'),
  issuer('rubygems', 'rubygems_', '[a-f0-9]{48}'),
  issuer('sendgrid', 'SG\\.', '[A-Za-z0-9_-]{20,24}\\.[A-Za-z0-9_-]{39,50}'),
  issuer('sendinblue', 'xkeysib-', '[a-f0-9]{64}-[A-Za-z0-9]{16}'),
  issuer('sentry', 'sntry[su]_', '[A-Za-z0-9+/=_-]{40,400}'),
  issuer('slack', 'xox[cdes]-', '[A-Za-z0-9%/+.=-]{20,300}'),
  issuer('square', 'sq0(?:atp|csp|idp)-', '[A-Za-z0-9_-]{22,43}'),
  issuer('stripe', '[sr]k_(?:live|test|prod)_', '[A-Za-z0-9]{16,120}'),
  issuer('stripe', 'whsec_', '[A-Za-z0-9+/=]{32,64}'),
  issuer('supabase', 'sb(?:p|_secret)_', '[A-Za-z0-9_-]{30,48}'),
  issuer('tailscale', 'tskey-[a-z]{3,10}-', '[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20,48}'),
  issuer('tavily', 'tvly-', '[A-Za-z0-9-]{30,50}'),
  issuer('telegram', '\\d{8,10}:AA', '[A-Za-z0-9_-]{32,34}', ':AA'),
  issuer('telegram', 'api\\.telegram\\.org/bot\\d{8,10}:AA', '[A-Za-z0-9_-]{32,34}', ':AA'),
  issuer('terraform', '[A-Za-z0-9]{14}\\.atlasv1\\.', '[A-Za-z0-9_=-]{60,70}', '\\.atlasv1\\.'),
  issuer('twilio', '(?:SK|AC)(?=[a-f0-9]{32})', '[a-f0-9]{32}'),
  issuer('typeform', 'tfp_', '[A-Za-z0-9_.=-]{59}'),
  issuer('vault', 'hv[sbr]\\.', '[A-Za-z0-9_-]{24,300}'),
  issuer('vercel', 'vercel_blob_rw_', '[A-Za-z0-9_]{30,60}'),
  issuer(
    'webhook',
    '[\\w-]{1,60}\\.webhook\\.office\\.com/webhookb2/',
    '[\\w@/-]{60,300}',
    '\\.webhook\\.office\\.com',
  ),
  issuer('xai', 'xai-', '[A-Za-z0-9]{70,90}'),
  issuer('zapier', 'hooks\\.zapier\\.com/hooks/catch/', '[A-Za-z0-9/]{12,40}'),
];

/** Finds credentials by their issuers' prefixes. */
export function findByIssuer(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const { rule, prefix, rest } of ISSUERS) {
    for (const match of text.matchAll(new RegExp(`(?<![A-Za-z0-9_])${prefix}${rest}(?![A-Za-z0-9])`, 'g'))) {
      if (looksGenerated(match[0]))
        findings.push({ rule, start: match.index, end: match.index + match[0].length });
    }
  }
  return findings;
}

/** Rejects documentation examples, which repeat a letter, and names, which have few different letters. */
function looksGenerated(value: string): boolean {
  return !/(.)\1{7}/.test(value) && new Set(value).size >= 10;
}

function issuer(rule: string, prefix: string, rest: string, sign = prefix): Issuer {
  return { rule, prefix, rest, sign };
}
