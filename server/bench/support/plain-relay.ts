// The same SMTP server and the same client as the relay, and nothing between them: what relaying itself costs. Prints its
// port; the first argument is that of the next hop.
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { hopTimeouts, NextHop } from '#relay/next-hop/next-hop.ts'

const target = { host: '127.0.0.1', port: Number(process.argv[2]), tls: 'opportunistic' } as const
const hops = new Map<SMTPServerSession, NextHop>()

async function hopOf(session: SMTPServerSession): Promise<NextHop> {
  const hop = hops.get(session)
  if (hop) return hop
  const opened = await NextHop.open(target, {
    name: 'plain.test',
    certificate: null,
    canReach: () => true,
    timeouts: hopTimeouts,
  })
  hops.set(session, opened)
  return opened
}

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  size: 52_428_800,
  onMailFrom(address, session, done) {
    hopOf(session)
      .then(hop => hop.command(`MAIL FROM:<${address.address}>`))
      .then(() => done(), done)
  },
  onRcptTo(address, session, done) {
    hopOf(session)
      .then(hop => hop.command(`RCPT TO:<${address.address}>`))
      .then(() => done(), done)
  },
  onData(stream, session, done) {
    Promise.all([hopOf(session), buffer(stream)])
      .then(([hop, message]) => hop.data([message]))
      .then(() => done(), done)
  },
  onClose(session) {
    hops.get(session)?.quit()
    hops.delete(session)
  },
})
server.on('error', () => undefined)
const listening = server.listen(0, '127.0.0.1', () =>
  console.log(`listens on port ${(listening.address() as AddressInfo).port}`),
)
