import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

// The limiter that counts in memory. The index of the package loads the clients of its fifteen databases too: 7 MB.

export type { RateLimiterRes } from 'rate-limiter-flexible'
export { default as RateLimiterMemory } from 'rate-limiter-flexible/lib/RateLimiterMemory.js'

/**
 * The network of a client: the address itself for IPv4, the first 64 bits for IPv6. Limits count networks, not addresses,
 * because one IPv6 subscriber has 2^64 addresses.
 */
export const networkOf = (address: string): string =>
  isIPv6(address) ? ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':') : address
