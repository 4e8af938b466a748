// Requests to identity providers. They follow the rules for addresses that users enter: see public-fetch.ts.

/** `problem` is a phrase that follows "the address …". */
export type ProviderFetch = (
  url: string,
  request: {
    readonly method?: 'GET' | 'POST'
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    readonly redirects: number
    readonly maxBytes: number
    readonly milliseconds: number
  },
) => Promise<
  | { readonly ok: true; readonly status: number; readonly bytes: Buffer }
  | { readonly ok: false; readonly problem: string }
>

export const requestLimits = { maxBytes: 512 * 1024, milliseconds: 5_000 } as const

/** The provider gave no usable answer. The message is a sentence. */
export class ProviderUnreachable extends Error {}

const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

/** Without TLS, every machine between could forge the answers. On this machine there is none. */
export function isSecureAddress(text: string): boolean {
  if (/[\t\n\r]/.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}
