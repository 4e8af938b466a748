// Whose a bounce is: it has no sender, so where several relays admit its client, the message itself decides.
import { headerAddresses } from '../message/index.ts'
import type { MessageHeader } from '../receiving/message-header.ts'
import { type AdmittedRoute, domainOf, hasOneHop } from '../routing.ts'
import { showsProof } from './proofs.ts'

/** Bounces come from `mailer-daemon@mail.example.com` too. */
const covers = (domain: string, host: string): boolean => host === domain || host.endsWith(`.${domain}`)

/** How much of the domain of the author a relay names: the longest name counts. */
function matchedLength({ route }: AdmittedRoute, authors: readonly string[]): number {
  const matched = [...route.domains].filter(domain => authors.some(host => covers(domain, host)))
  return Math.max(0, ...matched.map(({ length }) => length))
}

/** A relay whose proof the message shows comes before those that want none, then the domain in From decides. */
export function routeOfBounce(
  admitted: readonly AdmittedRoute[],
  header: MessageHeader,
): AdmittedRoute | 'none' | 'several' {
  const shown = admitted.filter(one => showsProof(header, one))
  const proven = shown.filter(({ proofs }) => proofs !== null)
  const possible = proven.length > 0 ? proven : shown
  const authors = header
    .values('From')
    .flatMap(headerAddresses)
    .flatMap(address => domainOf(address) ?? [])
  const lengths = possible.map(one => matchedLength(one, authors))
  const longest = Math.max(0, ...lengths)
  const best = possible.filter((_, index) => lengths[index] === longest)
  const [first] = best
  if (!first) return 'none'
  return hasOneHop(best) ? { ...first, isShared: best.length > 1 } : 'several'
}
