// A client that sends requests one after the other until it is stopped, and keeps what was acknowledged.
import { setTimeout as sleep } from 'node:timers/promises'

export interface SentRequest {
  readonly sentAt: number
  readonly answeredAt: number
  readonly status: number
  readonly retryAfter: string | null
}

export interface LoadTarget {
  readonly url: string
  readonly key: string | undefined
}

/** The path, and the body if it is a POST. Gets a name that no other request has. */
export type LoadRequest = (name: string) => readonly [path: string, body?: object]

export class LoadClient {
  readonly acknowledged = new Set<string>()
  readonly requests: SentRequest[] = []
  readonly #done: Promise<void>
  #isStopped = false

  constructor(target: LoadTarget, prefix: string, request: LoadRequest) {
    this.#done = this.#run(target, prefix, request)
  }

  async #run({ url, key }: LoadTarget, prefix: string, request: LoadRequest): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    for (let n = 0; !this.#isStopped; n++) {
      const name = `${prefix}-${n}`
      const [path, body] = request(name)
      const sentAt = Date.now()
      const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
      const answer = await fetch(`${url}${path}`, init)
      await answer.arrayBuffer()
      const retryAfter = answer.headers.get('retry-after')
      this.requests.push({ sentAt, answeredAt: Date.now(), status: answer.status, retryAfter })
      if (answer.status < 300) this.acknowledged.add(name)
      await sleep(10) // leaves the machine time for the other processes
    }
  }

  stop(): Promise<void> {
    this.#isStopped = true
    return this.#done
  }
}
