// Whose a bounce is: it has no sender, so where several relays admit its client, the message itself decides.
import { headerAddresses } from '../message/index.ts'
import type { MessageHeader } from '../receiving/message-header.ts'
import { type AdmittedRoute, domainOf, hasOneHop } from '../routing.ts'
import { showsProof } from './proofs.ts'

/** Bounces come from `mailer-daemon@mail.example.com` too. */
const covers = (domain: string, host: string): boolean => host === domain || host.endsWith(`.${domain}`)

/** Length of the part of the author's domain that a relay names: the longest name counts. */
function matchedLength({ route }: AdmittedRoute, authors: readonly string[]): number {
  const matched = [...route.domains].filter(domain => authors.some(host => covers(domain, host)))
  return Math.max(0, ...matched.map(({ length }) => length))
}

/** A relay whose proof the message shows comes before those that want none, then the domain in From decides. */
export function routeOfBounce(
  admitted: readonly AdmittedRoute[],
  header: MessageHeader,
): AdmittedRoute | 'none' | 'several' {
  const candidates = admitted.filter(candidate => showsProof(header, candidate))
  const proven = candidates.filter(({ proofs }) => proofs !== null)
  const possible = proven.length > 0 ? proven : candidates
  const authors = header
    .values('From')
    .flatMap(headerAddresses)
    .flatMap(address => domainOf(address) ?? [])
  const lengths = possible.map(candidate => matchedLength(candidate, authors))
  const longest = Math.max(0, ...lengths)
  const best = possible.filter((_, index) => lengths[index] === longest)
  const [first] = best
  if (!first) return 'none'
  return hasOneHop(best) ? { ...first, isShared: best.length > 1 } : 'several'
}
