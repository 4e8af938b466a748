// The steps of the set-up, and what they share.
import { useQuery } from '@tanstack/react-query'
import { useLoadedChecklist } from '../../api/checklist.ts'
import { api } from '../../api/client.ts'
import { useMe } from '../../api/session.tsx'
import { useAddressState } from '../../app/address-state.ts'

export const welcomeSteps = ['company', 'people', 'design', 'publish'] as const
export type WelcomeStep = (typeof welcomeSteps)[number]

const isStep = (text: string | undefined): text is WelcomeStep => welcomeSteps.some(step => step === text)

/** The step in the address, else the first that is not done. */
export function useStep(): [WelcomeStep, (step: WelcomeStep, signature?: string) => void] {
  const [{ step }, setState] = useAddressState<'step' | 'signature'>()
  const { next } = useLoadedChecklist()
  const goTo = (to: WelcomeStep, signature?: string) => {
    setState({ step: to, ...(signature !== undefined && { signature }) })
    scrollTo({ top: 0 })
  }
  return [isStep(step) ? step : isStep(next) ? next : 'publish', goTo]
}

interface OwnAddress {
  readonly id: string
  /** Whether designs have more to show than a name. */
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
