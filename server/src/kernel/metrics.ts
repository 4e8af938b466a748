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

export function createMetrics(pool: Pool): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
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
  // prom-client takes a microsecond to find a series by its labels, so it is told when somebody asks.
  const counter: Metrics['counter'] = (name, help, ...labelNames) => {
    const counted = new Map<string, number>()
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset()
        for (const [values, count] of counted) this.labels(...values.split(' ')).inc(count)
      },
    })
    return (value, by = 1) => void counted.set(value, (counted.get(value) ?? 0) + by)
  }
  const countRequest = counter(
    'signoff_http_requests_total',
    'Requests answered, by route and status.',
    'method',
    'route',
    'status',
  )
  const byRoute = new Map<string, Histogram.Internal<'method' | 'route'>>()
  return {
    contentType: registry.contentType,
    observe(method, route, status, seconds) {
      const name = `${method} ${route}`
      let series = byRoute.get(name)
      if (!series) {
        series = latency.labels(method, route)
        byRoute.set(name, series)
      }
      series.observe(seconds)
      countRequest(`${name} ${status}`)
    },
    counter,
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
