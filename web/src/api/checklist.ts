// How far the set-up of a workspace is, derived from what it has. The set-up and the home page read it here alone.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import { totalOf } from './counts.ts'

export const checklistSteps = ['company', 'people', 'design', 'publish', 'mailboxes'] as const
export type ChecklistStep = (typeof checklistSteps)[number]

export interface Checklist {
  readonly done: Readonly<Record<ChecklistStep, boolean>>
  readonly peopleCount: number
  /** The first step that is not done. */
  readonly next: ChecklistStep | undefined
}

async function loadChecklist(): Promise<Checklist> {
  const [brand, peopleCount, signatures, installed] = await Promise.all([
    api.brand.get(),
    totalOf(api.teammates.list({ limit: 1 })),
    api.signatures.list({ limit: 100 }),
    totalOf(api.installations.list({ status: 'installed', limit: 1 })),
  ])
  const done = {
    company: brand.logo_asset_id !== null || brand.colors.primary !== null || brand.website !== null,
    people: peopleCount > 0,
    design: signatures.length > 0,
    publish: signatures.some(({ last_published_at: published }) => published !== null),
    mailboxes: installed > 0,
  }
  return { done, peopleCount, next: checklistSteps.find(step => !done[step]) }
}

const checklistQuery = { queryKey: ['checklist'], queryFn: loadChecklist } as const

export const useChecklist = () => useQuery(checklistQuery)

export const useLoadedChecklist = (): Checklist => useSuspenseQuery(checklistQuery).data
