// How far the set-up of a workspace is. The set-up and the home page read it here alone.
import type { Checklist, ChecklistPatch } from '@signoff/sdk'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { api } from './client.ts'

/** In the order in which people do them. The value is the name of the API. */
const itemOf = {
  company: 'brand',
  people: 'people',
  design: 'signature',
  recipients: 'recipients',
  publish: 'publish',
  mailboxes: 'install',
  domains: 'domains',
  members: 'members',
  mail: 'mail',
} as const

export type ChecklistStep = keyof typeof itemOf
export const checklistSteps = Object.keys(itemOf) as readonly ChecklistStep[]

export interface SetUpState {
  readonly done: Readonly<Record<ChecklistStep, boolean>>
  readonly peopleCount: number
  /** An admin has hidden the list for all. */
  readonly isDismissed: boolean
}

function stateOf({ items, dismissed }: Checklist): SetUpState {
  const item = (step: ChecklistStep) => items.find(({ key }) => key === itemOf[step])
  const done = Object.fromEntries(
    checklistSteps.map(step => [step, item(step)?.done ?? false]),
  ) as SetUpState['done']
  return { done, peopleCount: item('people')?.count ?? 0, isDismissed: dismissed }
}

export const checklistQuery = {
  queryKey: ['checklist'],
  queryFn: () => api.workspace.checklist(),
} as const

export const useChecklist = () => useQuery({ ...checklistQuery, select: stateOf })

export const useLoadedChecklist = (): SetUpState =>
  useSuspenseQuery({ ...checklistQuery, select: stateOf }).data

/** Hides the list for all members, or shows it again. */
export const updateChecklist = (patch: ChecklistPatch): Promise<Checklist> =>
  api.workspace.updateChecklist(patch)
