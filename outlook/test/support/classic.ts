// Runs the launch script as classic Outlook for Windows does: in a context without window and document, with its own
// clock, so that a test decides how much time passes.
import { createContext, runInContext } from 'node:vm'
import { expect } from 'vitest'
import type { AddInSettings, SignatureAnswer, TroubleReport } from '../../src/wire.ts'
import { type MailSetup, StandInMail } from './mail.ts'
import { type OfficeSetup, StandInOffice } from './office.ts'

export const settings: AddInSettings = { base: 'https://sign.example/outlook/token', auth: 'token' }

interface Timer {
  readonly id: number
  readonly at: number
  readonly run: () => void
}

/** Waits until nothing is left to run but timers. */
const settled = async (): Promise<void> => {
  for (let round = 0; round < 30; round++) await new Promise(resolve => setImmediate(resolve))
}

class Clock {
  now = Date.UTC(2026, 10, 18)
  #timers: readonly Timer[] = []
  #ids = 0

  readonly set = (run: () => void, milliseconds: number): number => {
    this.#ids += 1
    this.#timers = [...this.#timers, { id: this.#ids, at: this.now + milliseconds, run }]
    return this.#ids
  }

  readonly clear = (id: number): void => {
    this.#timers = this.#timers.filter(timer => timer.id !== id)
  }

  async pass(milliseconds: number): Promise<void> {
    await settled()
    const end = this.now + milliseconds
    for (;;) {
      const [next] = this.#timers.filter(timer => timer.at <= end).sort((a, b) => a.at - b.at)
      if (!next) break
      this.clear(next.id)
      this.now = next.at
      next.run()
      await settled()
    }
    this.now = end
  }
}

/** The reaction of the service to a request: an answer, a status, no connection, or no answer until the test gives one. */
type Mood = SignatureAnswer | number | 'away' | 'broken' | Promise<SignatureAnswer | number>
export type ServiceMood = Mood | ((from: string) => Mood)

interface Request {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

export interface ClassicSetup extends MailSetup, OfficeSetup {
  readonly mood: ServiceMood
  /** Null: Outlook has no storage for event handlers. */
  readonly storage?: Map<string, string> | null
  readonly settings?: AddInSettings
}

export class ClassicOutlook {
  readonly clock = new Clock()
  readonly mail: StandInMail
  readonly office: StandInOffice
  readonly requests: string[] = []
  readonly troubles: TroubleReport[] = []
  readonly bearers: (string | undefined)[] = []
  mood: ServiceMood
  readonly #globals: Record<string, unknown>

  constructor(script: string, setup: ClassicSetup) {
    this.mood = setup.mood
    this.mail = new StandInMail(setup)
    this.office = new StandInOffice(this.mail, setup, run => setImmediate(run))
    const { storage = new Map<string, string>() } = setup
    this.#globals = createContext({
      Office: this.office.globals(),
      SIGNOFF: setup.settings ?? settings,
      fetch: this.#fetch,
      setTimeout: this.clock.set,
      clearTimeout: this.clock.clear,
      // `Date` of the context follows the clock.
      ...(storage && { OfficeRuntime: { storage: asyncStorage(storage) } }),
    })
    runInContext(
      'Date.now = () => clockNow()',
      Object.assign(this.#globals, { clockNow: () => this.clock.now }),
    )
    runInContext(script, this.#globals)
  }

  readonly #fetch = async (address: string, request: Request = {}) => {
    if (!/^https:\/\//.test(address)) throw new TypeError('relative addresses are not supported')
    this.requests.push(`${request.method ?? 'GET'} ${address.replace(settings.base, '')}`)
    if (address.endsWith('/trouble')) {
      this.troubles.push(JSON.parse(request.body ?? ''))
      return { ok: true, status: 204, json: () => Promise.reject(new SyntaxError('no JSON')) }
    }
    this.bearers.push(request.headers?.authorization)
    const from = decodeURIComponent(address.split('?from=')[1] ?? '')
    const mood = await (typeof this.mood === 'function' ? this.mood(from) : this.mood)
    if (mood === 'away') throw new TypeError('Failed to fetch')
    if (mood === 'broken')
      return { ok: true, status: 200, json: () => Promise.reject(new SyntaxError('no JSON')) }
    if (typeof mood === 'number') return { ok: false, status: mood, json: async () => ({ error: {} }) }
    return { ok: true, status: 200, json: async () => ({ data: mood }) }
  }

  /** Raises the event and waits until it is completed, then checks that nothing forbidden was done. */
  async raise(name: string): Promise<void> {
    await this.office.raise(name)
    await settled()
    this.expectClean()
  }

  readonly compose = () => this.raise('onNewMessageCompose')
  readonly changeRecipients = (to: readonly string[]) => {
    this.mail.to = to
    return this.raise('onMessageRecipientsChanged')
  }
  readonly changeFrom = (from: string) => {
    this.mail.from = from
    return this.raise('onMessageFromChanged')
  }

  expectClean(): void {
    expect(this.office.breaches).toEqual([])
    expect(this.troubles.length).toBeLessThanOrEqual(1)
    const sent = JSON.stringify([this.requests, this.troubles])
    if (this.mail.written) expect(sent).not.toContain(this.mail.written)
  }
}

const asyncStorage = (items: Map<string, string>) => ({
  getItem: async (key: string) => items.get(key) ?? null,
  setItem: async (key: string, value: string) => void items.set(key, value),
})
