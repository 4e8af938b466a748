// The Outlook add-in as a channel: what one process needs to serve it, with its caches.
import { createLogoIcons, type FileStore } from '#features/content/assets/index.ts'
import { FetchLog, TroubleLog } from '#features/delivery/installations/index.ts'
import {
  Deployments,
  type OutlookDeps,
  outlookRoutes,
  SignatureAnswers,
} from '#features/delivery/outlook/index.ts'
import type { RenderDeps } from '#features/signatures/live-signatures/index.ts'
import type { Route } from '#kernel/api/routes.ts'
import { apiError } from '#kernel/base/errors.ts'
import type { Log } from '#kernel/base/log.ts'
import type { Db } from '#kernel/db/db.ts'
import { OutlookAddIn } from '#platform/outlook-add-in.ts'
import type { Vault } from '#platform/secrets.ts'
import { createTokenVerifier, RefusedAccessToken } from './user-tokens.ts'

export type OutlookProcess = Pick<OutlookDeps, 'deployments' | 'answers' | 'troubles' | 'loadAddIn'>

const unavailable = () => Promise.reject(apiError('unavailable'))

/** For commands that serve no request. */
export const noOutlook: OutlookProcess = {
  deployments: { find: unavailable, forget: () => undefined },
  answers: { answer: unavailable },
  troubles: { record: unavailable },
  loadAddIn: unavailable,
}

export interface OutlookProcessDeps {
  readonly db: Db
  readonly rendering: RenderDeps
  readonly log: Log
  readonly dataDir: string
}

export function openOutlook({
  db,
  rendering,
  log,
  dataDir,
}: OutlookProcessDeps): OutlookProcess & { close(): Promise<void> } {
  const fetchLog = new FetchLog({ db, rendering, log })
  const troubles = new TroubleLog()
  const addIn = new OutlookAddIn(dataDir)
  return {
    deployments: new Deployments(db),
    answers: new SignatureAnswers({ db, rendering, fetchLog, troubles }),
    troubles,
    loadAddIn: addIn.files,
    async close() {
      addIn.stop()
      await fetchLog.close()
    },
  }
}

export interface OutlookPageDeps {
  readonly publicUrl: string
  readonly rendering: RenderDeps
  readonly vault: Vault
  readonly store: FileStore
}

export const outlookPages = (
  outlook: OutlookProcess,
  { publicUrl, rendering, vault, store }: OutlookPageDeps,
): readonly Route[] =>
  outlookRoutes({
    ...outlook,
    rendering,
    publicUrl,
    openSecret: vault.open,
    logoIconOf: createLogoIcons(store),
    verifyAccessToken: createTokenVerifier(),
    isRefusal: error => error instanceof RefusedAccessToken,
  })
