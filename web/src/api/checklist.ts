// How far the set-up of a workspace is. The set-up and the home page read it here alone.
import type { Checklist } from '@signoff/sdk'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { api } from './client.ts'

export const checklistSteps = ['company', 'people', 'design', 'publish', 'mailboxes'] as const
export type ChecklistStep = (typeof checklistSteps)[number]

export interface SetUpState {
  readonly done: Readonly<Record<ChecklistStep, boolean>>
  readonly peopleCount: number
  /** The first step that is not done. */
  readonly next: ChecklistStep | undefined
  /** An admin has hidden the list for all. */
  readonly isDismissed: boolean
}

/** The API has more items, such as a mail server; these are the ones on the way to the first signature. */
const itemOf = {
  company: 'brand',
  people: 'people',
  design: 'signature',
  publish: 'publish',
  mailboxes: 'install',
} as const

function stateOf({ items, dismissed }: Checklist): SetUpState {
  const item = (step: ChecklistStep) => items.find(({ key }) => key === itemOf[step])
  const done = Object.fromEntries(
    checklistSteps.map(step => [step, item(step)?.done ?? false]),
  ) as SetUpState['done']
  return {
    done,
    peopleCount: item('people')?.count ?? 0,
    next: checklistSteps.find(step => !done[step]),
    isDismissed: dismissed,
  }
}

export const checklistQuery = {
  queryKey: ['checklist'],
  queryFn: () => api.workspace.checklist(),
} as const

export const useChecklist = () => useQuery({ ...checklistQuery, select: stateOf })

export const useLoadedChecklist = (): SetUpState =>
  useSuspenseQuery({ ...checklistQuery, select: stateOf }).data
