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

async function findOwnAddress(address: string): Promise<string | null> {
  const people = await api.teammates.list({ search: address, limit: 10 })
  const emails = people.flatMap(({ emails: all }) => all)
  return emails.find(email => email.address.toLowerCase() === address.toLowerCase())?.id ?? null
}

/** The id of the own address, if the person is among the people of the workspace. */
export function useOwnAddress() {
  const { account } = useMe()
  return useQuery({
    queryKey: ['teammates', 'own-address', account.email],
    queryFn: () => findOwnAddress(account.email),
  })
}

/** Whose values previews show: the own ones, else those of the first person. Undefined: placeholders. */
export function usePreviewAddress(): { readonly id: string | undefined; readonly isReady: boolean } {
  const own = useOwnAddress()
  const first = useQuery({
    queryKey: ['teammates', 'first-address'],
    queryFn: async () => (await api.teammates.list({ limit: 1 }))[0]?.emails[0]?.id ?? null,
  })
  return { id: own.data ?? first.data ?? undefined, isReady: !own.isPending && !first.isPending }
}
