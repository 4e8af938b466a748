// On a slow machine PostgreSQL does not take clicks at once: they wait in the spool on disk and are recorded later.
import { expect } from 'vitest'
import type { TestApp } from './app.ts'

/** Waits until every view and click that this app has answered is in PostgreSQL. */
export const waitUntilRecorded = (app: Pick<TestApp, 'metrics'>): Promise<void> =>
  expect
    .poll(async () => {
      const text = await app.metrics()
      const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
      return ['signoff_events_waiting', 'signoff_events_spool_bytes'].map(value)
    })
    .toEqual([0, 0])
