import { createContactCards } from '#features/content/contact-cards/index.ts'
import { createTracking } from '#features/measurement/tracking/index.ts'
import type { RenderDeps } from './render.ts'

/** Makes the dependencies of rendering for mailboxes: with tracked links and contact cards. */
export const renderDepsOf = (deps: Parameters<typeof createTracking>[0]): RenderDeps => ({
  publicUrl: deps.publicUrl,
  cards: createContactCards(deps),
  tracking: createTracking(deps),
})
