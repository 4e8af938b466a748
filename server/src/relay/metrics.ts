import type { RelayOutcome } from '#features/delivery/relay/index.ts'
import type { Metrics } from '#kernel/api/metrics.ts'

export interface RelayMetrics {
  message(outcome: RelayOutcome, milliseconds: number, bytes: number): void
  /** A command or a connection that was refused before there was a message. */
  refuse(reason: string): void
}

export function relayMetrics(metrics: Metrics, openConnections: () => number): RelayMetrics {
  const count = metrics.counter(
    'signoff_relay_messages_total',
    'Messages in the relay, by outcome.',
    'outcome',
  )
  const weigh = metrics.counter(
    'signoff_relay_bytes_total',
    'Bytes of messages in the relay, by outcome.',
    'outcome',
  )
  const refuse = metrics.counter(
    'signoff_relay_refusals_total',
    'Connections, senders and recipients that the relay or the next hop refused, by reason.',
    'reason',
  )
  const time = metrics.histogram(
    'signoff_relay_duration_seconds',
    'Time from the last byte of a message to its answer, by outcome.',
    'outcome',
  )
  metrics.gauge('signoff_relay_connections', 'Senders that are connected to the relay.', openConnections)
  return {
    message(outcome, milliseconds, bytes) {
      count(outcome)
      weigh(outcome, bytes)
      time(outcome, milliseconds / 1000)
    },
    refuse: reason => refuse(reason),
  }
}
