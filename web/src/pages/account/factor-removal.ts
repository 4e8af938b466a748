import { useTranslations } from 'use-intl'
import { accountCall, refreshAccount } from '#api/account.ts'
import { codeOf } from '#state/errors.ts'
import { useAction } from '#ui/feedback/use-action.ts'

/** Removes a second factor by its path. */
export function useFactorRemoval(done: string, after: () => void) {
  const t = useTranslations('account')
  return useAction<string>(refreshAccount, {
    run: path =>
      accountCall('DELETE', path).catch((error: unknown) => {
        // The same code elsewhere means that a sign-in lacks its second step.
        throw codeOf(error) === 'second_factor_required' ? new Error(t('factorRequired')) : error
      }),
    done: () => done,
    after,
  })
}
