// The network of a client. Limits count networks, not addresses, because one IPv6 subscriber has 2^64 addresses.
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The address itself for IPv4, the first 64 bits for IPv6. */
export const networkOf = (address: string): string =>
  isIPv6(address) ? ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':') : address
