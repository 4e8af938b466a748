// Requests by cookie against requests by key, and what a sign-in costs the process.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashPassword } from '#features/access/access/index.ts'
import {
  addMember,
  findAccountByEmail,
  markVerified,
  updatePasswordHash,
} from '#features/workspace/accounts/index.ts'
import {
  type Bench,
  compare,
  createFixture,
  type Figure,
  type Fixture,
  type Server,
  startServer,
  startSignoff,
} from './support/bench.ts'

const probeFile = join(import.meta.dirname, 'support/health-probe.ts')
const password = 'seven green bicycles'
const people = 100
const perSecond = 50
const seconds = 10
const signInsCounted = 40

const emailOf = (n: number): string => `person${n % people}@example.com`

/** Each sign-in comes from another network, as those of different people do. */
const signIn = ({ url }: Server, n = 0): Promise<Response> =>
  fetch(`${url}/auth/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.${n >> 8}.${n & 255}` },
    body: JSON.stringify({ email: emailOf(n), password }),
  })

async function addPeople({ db, workspaceId }: Fixture): Promise<void> {
  const hash = await hashPassword(password)
  for (let n = 0; n < people; n++) {
    await addMember(db, workspaceId, { name: `Person ${n}`, email: emailOf(n), role: 'admin' })
    const account = await findAccountByEmail(db, emailOf(n))
    if (!account) continue
    await updatePasswordHash(db, account.id, hash)
    await db.query(markVerified(account.id))
  }
}

/** Milliseconds of all threads. Linux counts in hundredths of a second. */
export function processorTime({ child }: Server): number {
  const text = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function costOfSignIn(service: Server): Promise<Figure> {
  for (let n = 0; n < 5; n++) await signIn(service)
  const before = processorTime(service)
  for (let n = 0; n < signInsCounted; n++) {
    const { status } = await signIn(service)
    if (status !== 204) throw new Error(`a sign-in was answered with ${status}`)
  }
  const value = (processorTime(service) - before) / signInsCounted
  return { what: 'processor time of a sign-in, in ms', value, limit: { most: 150 } }
}

/** p99 of /healthz, requested every 10 ms by another process while people sign in. */
async function healthDuringSignIns(service: Server): Promise<Figure> {
  const probe = await startServer([probeFile, service.url], {})
  let printed = ''
  probe.child.stdout?.on('data', chunk => {
    printed += chunk
  })
  const running: Promise<number>[] = []
  for (let n = 0; n < perSecond * seconds; n++) {
    running.push(signIn(service, n).then(({ status }) => status))
    await sleep(1_000 / perSecond)
  }
  const statuses = await Promise.all(running)
  await probe.stop()
  const durations = (JSON.parse(printed.trim().split('\n').at(-1) ?? '[]') as number[]).sort((a, b) => a - b)
  const count = (status: number): number => statuses.filter(each => each === status).length
  return {
    what: `p99 of /healthz at ${perSecond} sign-ins/s, in ms`,
    value: durations[Math.floor(durations.length * 0.99)] ?? 0,
    limit: { most: 100 },
    note: `${count(204)} of ${statuses.length} signed in, ${count(503)} refused because of the load`,
  }
}

async function run(): Promise<Figure[]> {
  const b = await createFixture()
  const service = await startSignoff(b.dataDir, { SIGNOFF_TRUSTED_PROXIES: '127.0.0.1' })
  try {
    await addPeople(b)
    const cookie = (await signIn(service)).headers.get('set-cookie')?.split(';')[0] ?? ''
    const load = (headers: Record<string, string>) => ({
      url: service.url,
      load: { path: '/v1/folders', headers },
    })
    const {
      ratio,
      service: byCookie,
      baseline: byKey,
    } = await compare(load({ cookie }), load({ authorization: `Bearer ${b.key}` }), 5)
    return [
      {
        what: 'GET /v1/folders by cookie against by key',
        value: ratio,
        limit: { least: 0.9 },
        note: `${Math.round(byCookie)}/s against ${Math.round(byKey)}/s`,
      },
      await costOfSignIn(service),
      await healthDuringSignIns(service),
    ]
  } finally {
    await service.stop()
    await b.end()
  }
}

export const benches: readonly Bench[] = [{ name: 'access', run }]
