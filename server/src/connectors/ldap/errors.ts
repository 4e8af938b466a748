// What can go wrong with an LDAP server, as sentences for admins.
import { DirectoryError, type DirectoryErrorCode } from '#features/people/directories/index.ts'

/** `fact` is what happened, `remedy` what an admin can do. The message of a run has both. */
export class LdapError extends DirectoryError {
  readonly fact: string
  readonly remedy: string
  /** The result code of the server; null when it gave none. */
  readonly status: number | null

  constructor(code: DirectoryErrorCode, fact: string, remedy: string, status: number | null = null) {
    super(code, `${fact} ${remedy}`)
    this.fact = fact
    this.remedy = remedy
    this.status = status
  }
}

const untrusted =
  /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_|CERT_|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)/

/** The address did not answer, or the connection was lost. */
export function unreachableError(address: string, error: unknown): LdapError {
  const { name, code } = error as { name?: string; code?: string }
  const reason = name === 'TimeoutError' ? 'no answer in time' : (code ?? (error as Error).message)
  return new LdapError(
    'unavailable',
    `${address} cannot be reached (${reason}).`,
    'Check the url, and whether a firewall is between the service and the server.',
  )
}

/** The certificate is not accepted, or the port speaks no TLS. */
export function tlsError(address: string, error: unknown): LdapError {
  const { code = '', message } = error as { code?: string; message: string }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new LdapError(
      'access_lost',
      `The certificate of ${address} is for another name (${message}).`,
      'Use a name in url that the certificate contains.',
    )
  if (untrusted.test(code))
    return new LdapError(
      'access_lost',
      `The certificate of ${address} is not trusted (${code}).`,
      'Give the certificate of the authority that has issued it: signoff integrations add ldap --ca-file.',
    )
  const isCut = ['ECONNRESET', 'ETIMEDOUT', 'EPIPE'].includes(code)
  return new LdapError(
    isCut ? 'unavailable' : 'access_lost',
    `${address} sets up no TLS (${code || message}).`,
    'Use ldaps:// with the port for TLS (usually 636), or ldap:// with StartTLS (usually 389).',
  )
}

/** Meanings of the number in the answer of Active Directory to a bind. */
const bindReasons: Readonly<Record<string, string>> = {
  '525': 'the account does not exist',
  '52e': 'the password is wrong',
  '530': 'the account may not sign in at this time',
  '531': 'the account may not sign in from this machine',
  '532': 'the password has expired',
  '533': 'the account is disabled',
  '701': 'the account has expired',
  '773': 'the password must be changed first',
  '775': 'the account is locked',
}

export interface LdapRefusal {
  readonly status: number
  readonly errorMessage: string
}

const quoted = ({ status, errorMessage }: LdapRefusal): string => {
  const text = errorMessage.replaceAll(/\p{Cc}/gu, ' ').trim()
  return `The server answered ${status}${text === '' ? '' : `: ${text.slice(0, 300)}`}${text.endsWith('.') ? '' : '.'}`
}

export function bindError(bindDn: string, refusal: LdapRefusal): LdapError {
  const { status, errorMessage } = refusal
  const reason = bindReasons[/\bdata ([0-9a-f]{3}),/.exec(errorMessage)?.[1] ?? '']
  if (status === 49)
    return new LdapError(
      'access_lost',
      `The server refuses the account ${bindDn || '(anonymous)'}: ${reason ?? 'the name or the password is wrong'}.`,
      'Check the bind DN, and send the password again.',
      status,
    )
  if (status === 8 || status === 13)
    return new LdapError(
      'access_lost',
      quoted(refusal),
      'The server wants an encrypted connection: use ldaps://, or StartTLS.',
      status,
    )
  return refusalError(refusal, `the account ${bindDn || '(anonymous)'}`)
}

/** Result codes that pass: time limit, busy, unavailable, unwilling. */
const passing = new Set([3, 51, 52, 53, 80])

/** `place` is what was read, such as a base. */
export function refusalError(refusal: LdapRefusal, place: string): LdapError {
  const { status } = refusal
  if (status === 32 || status === 10 || status === 34)
    return new LdapError(
      'access_lost',
      `The server has no entry ${place}, or does not show it to the account.`,
      'Check the base, and the rights of the account.',
      status,
    )
  if (status === 4 || status === 11)
    return new LdapError(
      'access_lost',
      `The server does not give all entries of ${place}: a limit on their number is reached.`,
      'Raise the size limit of the server for the account (OpenLDAP: limits … size.prtotal=unlimited).',
      status,
    )
  if (status === 50 || status === 1 || status === 48)
    return new LdapError(
      'access_lost',
      `The account may not read ${place}. ${quoted(refusal)}`,
      'Give the account the right to read it.',
      status,
    )
  if (passing.has(status))
    return new LdapError('unavailable', quoted(refusal), 'Try again in some minutes.', status)
  return new LdapError('invalid_answer', quoted(refusal), `Check the settings for ${place}.`, status)
}
