// Mail systems whose customers send from the same addresses, with the same certificate: without a proof in the message,
// each of them could send in the name of the company.
import ipaddr from 'ipaddr.js'
import { hasCommonAddress, type RelayClientRule } from './clients.ts'

interface SharedSender {
  readonly name: string
  /** The domain of the names in its certificates. */
  readonly domains: readonly string[]
  readonly networks: readonly string[]
  /** Text to write behind the client. */
  readonly proof: string
}

/** The networks as the SPF records of both name them (2026-11): `_netblocks` of google.com, spf.protection.outlook.com. */
const sharedSenders: readonly SharedSender[] = [
  {
    name: 'Microsoft 365',
    domains: ['outlook.com', 'office365.com'],
    networks: [
      ...['40.92.0.0/15', '40.107.0.0/16', '52.100.0.0/15', '52.102.0.0/16', '52.103.0.0/17'],
      ...['104.47.0.0/17', '2a01:111:f400::/48', '2a01:111:f403::/48'],
    ],
    proof: ';tenant= and the id of the tenant',
  },
  {
    name: 'Google',
    domains: ['google.com', 'googlemail.com', 'gmail.com'],
    networks: [
      ...['35.190.247.0/24', '35.191.0.0/16', '64.233.160.0/19', '66.102.0.0/20', '66.249.80.0/20'],
      ...['72.14.192.0/18', '74.125.0.0/16', '108.177.8.0/21', '108.177.96.0/19', '130.211.0.0/22'],
      ...['172.217.0.0/16', '172.253.56.0/21', '172.253.112.0/20', '173.194.0.0/16', '209.85.128.0/17'],
      ...['216.58.192.0/19', '216.239.32.0/19', '2001:4860:4000::/36', '2404:6800:4000::/36'],
      ...['2607:f8b0:4000::/36', '2800:3f0:4000::/36', '2a00:1450:4000::/36', '2c0f:fb50:4000::/36'],
    ],
    proof: ';header=X-Name:secret',
  },
]

const isWithin = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`)

const isOf =
  ({ range, certificateName }: RelayClientRule) =>
  ({ domains, networks }: SharedSender): boolean =>
    (range !== null && networks.some(network => hasCommonAddress(range, ipaddr.parseCIDR(network)))) ||
    (certificateName !== null && domains.some(domain => isWithin(certificateName, domain)))

/** A phrase that follows the name of the field when the client is that of many companies, and needs a proof. */
export function sharedSenderProblem(rule: RelayClientRule): string | undefined {
  const match = rule.proof === null ? sharedSenders.find(isOf(rule)) : undefined
  return (
    match &&
    `is shared by all customers of ${match.name}, who could send in the name of the company: write ${match.proof} behind it`
  )
}
