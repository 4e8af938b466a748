/** Names that the public DNS does not resolve. */
const privateNames = ['localhost', 'local', 'internal', 'lan', 'home', 'corp', 'home.arpa', 'test']

/** True if the public DNS can know a host, judged by its name alone. */
export function isPublicName(host: string): boolean {
  const name = host.replace(/\.$/, '').toLowerCase()
  return name.includes('.') && !privateNames.some(suffix => name.endsWith(`.${suffix}`))
}

export const isLocalhost = (host: string): boolean => /(?:^|\.)localhost\.?$/i.test(host)
