// Which mail is internal. The explanation of a signature asks here, and so must every channel that sees recipients.
import { canonicalDomain } from './setting-values.ts'

const domainOf = (address: string): string | undefined =>
  canonicalDomain(address.slice(address.lastIndexOf('@') + 1))

/**
 * True if all recipients are in the own domains. A subdomain is another domain: `partner.example.com` can belong to
 * another company. Without recipients or own domains the answer is no, because a mail to the outside must not lose the
 * signature that the law asks for; so addresses of teammates, which can be `gmail.com`, do not count as own domains.
 */
export function isInternalMail(recipients: readonly string[], ownDomains: readonly string[]): boolean {
  const own = new Set(ownDomains)
  return (
    recipients.length > 0 &&
    recipients.every(address => {
      const domain = domainOf(address)
      return domain !== undefined && own.has(domain)
    })
  )
}
