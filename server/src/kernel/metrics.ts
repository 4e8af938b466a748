// What /metrics tells, in Prometheus' format.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Pool } from './db.ts'
import { queueDepth } from './jobs.ts'

export interface Metrics {
  readonly contentType: string
  observe(method: string, route: string, status: number, seconds: number): void
  /** A number that only grows, one per value of its label; of several labels, with a space between the values. */
  counter(name: string, help: string, ...labels: string[]): (value: string, by?: number) => void
  /** A number that is read when somebody asks. */
  gauge(name: string, help: string, read: () => number): void
  text(): Promise<string>
}

interface Series {
  readonly requests: Counter.Internal
  readonly latency: Histogram.Internal<'method' | 'route'>
}

export function createMetrics(pool: Pool): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'signoff_http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const latency = new Histogram({
    name: 'signoff_http_request_duration_seconds',
    help: 'Time from the request to its answer, by route.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  new Gauge({
    name: 'signoff_database_connections',
    help: 'Connections of this process to PostgreSQL, and requests waiting for one.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'open' }, pool.pg.totalCount)
      this.set({ state: 'idle' }, pool.pg.idleCount)
      this.set({ state: 'awaited' }, pool.pg.waitingCount)
    },
  })
  new Gauge({
    name: 'signoff_jobs',
    help: 'Jobs in the queue: waiting for their turn, or to be tried again after a failure.',
    labelNames: ['state'],
    registers,
    async collect() {
      // A scrape while PostgreSQL is away still tells the rest.
      const [depth] = await pool.query<{ waiting: number; failing: number }>(queueDepth).catch(() => [])
      this.reset()
      if (!depth) return
      this.set({ state: 'waiting' }, depth.waiting)
      this.set({ state: 'failing' }, depth.failing)
    },
  })
  // Looking a series up by its labels costs more than counting in it.
  const known = new Map<string, Series>()
  return {
    contentType: registry.contentType,
    observe(method, route, status, seconds) {
      const name = `${method} ${route} ${status}`
      let series = known.get(name)
      if (!series) {
        series = {
          requests: requests.labels(method, route, String(status)),
          latency: latency.labels(method, route),
        }
        known.set(name, series)
      }
      series.requests.inc()
      series.latency.observe(seconds)
    },
    counter(name, help, ...labelNames) {
      const all = new Counter({ name, help, labelNames, registers })
      const each = new Map<string, Counter.Internal>()
      return (value, by = 1) => {
        let one = each.get(value)
        if (!one) {
          one = all.labels(...value.split(' '))
          each.set(value, one)
        }
        one.inc(by)
      }
    },
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read())
        },
      })
    },
    text: () => registry.metrics(),
  }
}
