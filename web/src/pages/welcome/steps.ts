// The steps of the set-up, and what they share.
import type { SignatureListItem } from '@signoff/sdk'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLoadedChecklist } from '#api/checklist.ts'
import { api } from '#api/client.ts'
import { allRows } from '#api/lists.ts'
import { useMe } from '#api/session.ts'
import { useAddressState } from '#state/address-state.ts'

export const welcomeSteps = ['company', 'people', 'design', 'publish'] as const
type WelcomeStep = (typeof welcomeSteps)[number]

const isStep = (text: string | undefined): text is WelcomeStep => welcomeSteps.some(step => step === text)

/** The step in the address, else the first that is not done. */
export function useStep(): [WelcomeStep, (step: WelcomeStep, signature?: string) => void] {
  const [{ step }, setState] = useAddressState<'step' | 'signature'>()
  const { done } = useLoadedChecklist()
  const current = isStep(step) ? step : (welcomeSteps.find(each => !done[each]) ?? 'publish')
  const goTo = (to: WelcomeStep, signature?: string) => {
    setState({ step: to, ...(signature !== undefined && { signature }) }, to === current ? 'replace' : 'push')
    scrollTo({ top: 0 })
  }
  // The step gets its address as soon as it is shown, so that Back leads to it after the next one is done.
  useEffect(() => {
    if (!isStep(step) && !welcomeSteps.every(each => done[each])) setState({ step: current })
  }, [step, current])
  return [current, goTo]
}

/** True if all is done and the address names no step: then there is nothing to set up. */
export function useIsSetUp(): boolean {
  const [{ step }] = useAddressState<'step'>()
  const { done } = useLoadedChecklist()
  return !isStep(step) && welcomeSteps.every(each => done[each])
}

/** The drafts that were never published and wait for no approval: the set-up publishes no other signature. */
export const unpublishedQuery = {
  queryKey: ['signatures', 'unpublished'],
  queryFn: async (): Promise<readonly SignatureListItem[]> => {
    const [drafts, requests] = await Promise.all([
      allRows(page => api.signatures.list({ ...page, status: 'draft' })),
      allRows(page => api.publicationRequests.list({ ...page, status: 'pending' })),
    ])
    return drafts.filter(({ id }) => !requests.some(request => request.signature_id === id))
  },
} as const

/** The signature that the set-up has made, as the address names it. */
export function useOwnDraft(): SignatureListItem | undefined {
  const [{ signature: id }] = useAddressState<'signature'>()
  const { data } = useSuspenseQuery(unpublishedQuery)
  return data.find(signature => signature.id === id)
}

interface OwnAddress {
  readonly id: string
  /** True if designs have more to show than a name. */
  readonly hasDetails: boolean
}

async function findOwnAddress(address: string): Promise<OwnAddress | null> {
  const people = await api.teammates.list({ search: address, limit: 10 })
  const own = people.flatMap(({ emails, smart_fields: values }) =>
    emails
      .filter(email => email.address.toLowerCase() === address.toLowerCase())
      .map(({ id }) => ({ id, hasDetails: values.filter(({ value }) => value !== null).length > 3 })),
  )
  return own[0] ?? null
}

/** The own address, if the person is among the people of the workspace. */
export function useOwnAddress() {
  const { account } = useMe()
  return useQuery({
    queryKey: ['teammates', 'own-address', account.email],
    queryFn: () => findOwnAddress(account.email),
  })
}

interface PreviewAddress {
  /** Undefined: the renderer shows an example person. */
  readonly id: string | undefined
  readonly isReady: boolean
}

/** Whose values previews show: the own ones. A name alone says little about a design: then an example person. */
export function usePreviewAddress({ needsDetails = false } = {}): PreviewAddress {
  const { data: own, isPending } = useOwnAddress()
  const id = own && (own.hasDetails || !needsDetails) ? own.id : undefined
  return { id, isReady: !isPending }
}
