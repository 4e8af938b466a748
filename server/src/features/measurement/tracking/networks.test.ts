import { expect, it } from 'vitest'
import { createSteps, decide } from './pipeline.ts'

const decisionFor = (ip: string) =>
  decide(
    createSteps(
      () => false,
      () => false,
    ),
    {
      kind: 'view',
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
      client: 'person',
      token: '',
      method: 'GET',
      ip,
      isPrefetch: false,
      isSameOrigin: false,
      isTracking: true,
    },
  )

it.each([
  ['64.235.144.1', 'Barracuda'],
  ['64.235.159.254', 'Barracuda'],
  ['209.222.82.1', 'Barracuda'],
  ['40.93.255.255', 'Microsoft, protection'],
  ['2a01:111:f403:2600::1', 'Microsoft, protection'],
  ['67.231.159.1', 'Proofpoint'],
  ['148.163.159.1', 'Proofpoint'],
  ['170.10.133.1', 'Mimecast'],
])('%s belongs to mail security: %s', ip => {
  expect(decisionFor(ip)).toBe('scanner')
})

it.each([
  ['64.235.148.1', 'A1 Telekom Austria, between ranges of Barracuda'],
  ['40.94.0.1', 'Microsoft, a cloud'],
  ['40.96.0.1', 'Microsoft, Exchange Online: Outlook on the web'],
  ['2a01:111:f400::1', 'Microsoft, both of protection and of Exchange Online'],
  ['62.209.50.1', 'Equinix, in a former range of Proofpoint'],
  ['208.86.202.9', 'Proofpoint, an office'],
  ['146.101.78.1', 'Telstra, in a former range of Mimecast'],
  ['85.158.140.1', 'Amazon, in a former range of Symantec'],
  ['216.82.240.1', 'unused, formerly Symantec'],
])('%s can be a person: %s', ip => {
  expect(decisionFor(ip)).toBe('counted')
})
