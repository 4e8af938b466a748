import type { SignInPolicy, SignInPolicyPatch } from '@signoff/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { saveOverSeen } from '#state/use-edit.ts'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { Switch } from '#ui/form/choice.tsx'
import { Card, LoadError, Skeleton } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'

const queryKey = ['sign_in_policy'] as const

type Rule = 'second_factor_required' | 'sso_required'

function usePolicyChange(onDone: () => void) {
  const shell = useTranslations('shell')
  const messageOf = useMessageOf()
  return useMutation({
    mutationFn: ({ seen, patch }: { readonly seen: SignInPolicy; readonly patch: SignInPolicyPatch }) =>
      saveOverSeen({
        seen,
        patch,
        read: () => api.signInPolicy.get(),
        save: (changes, options) => api.signInPolicy.update(changes, options),
      }),
    onSuccess: (policy: SignInPolicy) => {
      queryClient.setQueryData(queryKey, policy)
      toast(shell('saved'))
    },
    onError: error => toastError(messageOf(error)),
    onSettled: () => {
      onDone()
      void queryClient.invalidateQueries({ queryKey })
    },
  })
}

/** Rules for all members. Each is asked for, because it can shut people out at once. */
export function PolicyCard() {
  const t = useTranslations('settings.signIn')
  const [asked, ask] = useState<Rule>()
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => api.signInPolicy.get() })
  const { mutate: send, isPending } = usePolicyChange(() => ask(undefined))
  const mutate = (patch: SignInPolicyPatch) => data && send({ seen: data, patch })
  const change = (rule: Rule, isOn: boolean) => (isOn ? ask(rule) : mutate({ [rule]: false }))
  return (
    <Card title={t('policyTitle')} about={t('policyAbout')}>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton lines={3} />}
      {data && (
        <div className="grid gap-5">
          {(['second_factor_required', 'sso_required'] as const).map(rule => (
            <Switch
              key={rule}
              label={t(`rules.${rule}.label`)}
              hint={t(`rules.${rule}.hint`)}
              isSelected={data[rule]}
              onChange={isOn => change(rule, isOn)}
              isDisabled={isPending}
            />
          ))}
        </div>
      )}
      {asked && (
        <ConfirmDialog
          title={t(`rules.${asked}.question`)}
          isOpen
          onClose={() => ask(undefined)}
          action={t('switchOn')}
          isDangerous={false}
          isPending={isPending}
          onConfirm={() => mutate({ [asked]: true })}
        >
          <p>{t(`rules.${asked}.consequence`)}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
