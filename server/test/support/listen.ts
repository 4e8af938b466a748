// Stand-in servers on a free port of this machine.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterFile } from './after-file.ts'

/** Listens until the end of the test file. Returns the address. */
export async function listenLocally(server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
