// The service for browsers.
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#test/support/processes/free-port.ts'
import { type Server, startSignoff } from './bench.ts'

/** The public address is the one that the browser uses, as the cookie is for it. */
export const startService = async (dataDir: string): Promise<Server> => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  return { ...(await startSignoff(dataDir, { PORT: `${port}`, SIGNOFF_PUBLIC_URL: url })), url }
}

/** Any session's cookie leads to the page instead of the sign-in. */
export async function waitForDashboard({ url }: Server): Promise<void> {
  const headers = { cookie: 'signoff=none' }
  while ((await fetch(`${url}/people`, { headers, redirect: 'manual' })).status !== 200) await sleep(20)
}
