import type { SignInPolicy, SignInPolicyPatch, SsoConnection } from '@signoff/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api, queryClient, readAgain } from '#api/client.ts'
import { allRows } from '#api/lists.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { saveOverSeen } from '#state/use-edit.ts'
import { Button } from '#ui/base/button.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { TextLink } from '#ui/base/text-link.tsx'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { Switch } from '#ui/form/choice.tsx'
import { Badge, Card, EmptyState, LoadState, Notice } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { MoreMenu } from '#ui/overlay/menu.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { TestDialog } from './sign-in/test-dialog.tsx'

interface ConnectionCardProps {
  readonly connection: SsoConnection
  readonly onEdit: () => void
  readonly onTest: () => void
}

function useConnectionActions(connection: SsoConnection, onRemoved: () => void) {
  const { id } = connection
  const t = useTranslations('settings.signIn')
  const refresh = () => readAgain('sso_connections')
  const turn = useAction(refresh, {
    run: (active: boolean) =>
      saveOverSeen({
        seen: connection,
        patch: { active },
        read: () => api.ssoConnections.get(id),
        save: (patch, options) => api.ssoConnections.update(id, patch, options),
      }),
  })
  const remove = useAction(refresh, {
    run: async () => api.ssoConnections.delete(id),
    done: () => t('removed'),
    after: onRemoved,
  })
  return { turn, remove }
}

function ConnectionCard({ connection, onEdit, onTest }: ConnectionCardProps) {
  const t = useTranslations('settings.signIn')
  const shell = useTranslations('shell')
  const format = useFormatter()
  const now = useNow()
  const [isRemoving, setRemoving] = useState(false)
  const { turn, remove } = useConnectionActions(connection, () => setRemoving(false))
  const ago = (at: string | null) => (at === null ? t('never') : format.relativeTime(new Date(at), now))
  const refusal = connection.last_refusal as SsoConnection['last_refusal'] | null
  const label = t('actionsFor', { name: connection.name })
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 basis-52">
          <h3 className="flex flex-wrap items-center gap-2 font-medium">
            {connection.name}
            <Badge>{connection.kind === 'oidc' ? 'OIDC' : 'SAML'}</Badge>
            {connection.tested_at === null && <Badge variant="warn">{t('untested')}</Badge>}
          </h3>
          <p className="text-[0.8125rem] text-muted">{connection.issuer}</p>
        </div>
        <Button isSmall icon="zap" onPress={onTest}>
          {t('testIt')}
        </Button>
        <MoreMenu
          label={label}
          entries={[
            { id: 'edit', label: shell('edit'), icon: 'square-pen', onAction: onEdit },
            {
              id: 'remove',
              label: t('remove'),
              icon: 'trash-2',
              isDangerous: true,
              onAction: () => setRemoving(true),
            },
          ]}
        />
      </div>
      <p className="text-[0.8125rem] text-muted">
        {t('facts', { tested: ago(connection.tested_at), used: ago(connection.last_sign_in_at) })}
      </p>
      {refusal && (
        <Notice kind="warn">{t('refusal', { when: ago(refusal.at), message: refusal.message })}</Notice>
      )}
      {!connection.owner_trusted && <Notice>{t('ownerUntrusted')}</Notice>}
      <Switch
        label={t(connection.active ? 'active' : 'inactive')}
        isSelected={turn.isPending ? turn.variables : connection.active}
        onChange={active => turn.mutate(active)}
      />
      {isRemoving && (
        <ConfirmDialog
          title={t('removeTitle', { name: connection.name })}
          onClose={() => setRemoving(false)}
          action={t('remove')}
          mutation={remove}
        >
          <p>{t('removeText')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

const ConnectionDialog = onDemand(() => import('./sign-in/connection-dialog.tsx'))

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
function PolicyCard() {
  const t = useTranslations('settings.signIn')
  const [asked, ask] = useState<Rule>()
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => api.signInPolicy.get() })
  const { mutate: send, isPending } = usePolicyChange(() => ask(undefined))
  const mutate = (patch: SignInPolicyPatch) => data && send({ seen: data, patch })
  const change = (rule: Rule, isOn: boolean) => (isOn ? ask(rule) : mutate({ [rule]: false }))
  return (
    <Card title={t('policyTitle')} about={t('policyAbout')}>
      <LoadState query={{ data, error, refetch }} lines={3} />
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

/** `create`, or the connection that is edited. */
type Edited = 'create' | SsoConnection

function Connections() {
  const t = useTranslations('settings.signIn')
  const [edited, setEdited] = useState<Edited>()
  const [tested, setTested] = useState<SsoConnection>()
  const { data, error, refetch } = useQuery({
    queryKey: ['sso_connections', 'all'],
    queryFn: () => allRows(page => api.ssoConnections.list(page)),
  })
  const create = (
    <Button
      icon="plus"
      variant={data?.length === 0 ? 'primary' : 'secondary'}
      onPress={() => setEdited('create')}
    >
      {t('connect')}
    </Button>
  )
  return (
    <section aria-label={t('connections')} className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-base font-semibold">{t('connections')}</h2>
        {data && data.length > 0 && create}
      </div>
      <LoadState query={{ data, error, refetch }} lines={4} />
      {data?.length === 0 && (
        <EmptyState icon="shield-check" title={t('emptyTitle')} action={create}>
          {t('emptyText')}
        </EmptyState>
      )}
      {data?.map(connection => (
        <ConnectionCard
          key={connection.id}
          connection={connection}
          onEdit={() => setEdited(connection)}
          onTest={() => setTested(connection)}
        />
      ))}
      {edited && (
        <ConnectionDialog
          {...(edited !== 'create' && { stored: edited })}
          onClose={() => setEdited(undefined)}
          onSaved={setTested}
        />
      )}
      {tested && <TestDialog connection={tested} onClose={() => setTested(undefined)} />}
    </section>
  )
}

export default function SignInSettingsPage() {
  const t = useTranslations('settings.signIn')
  return (
    <SettingsFrame section="sign-in">
      <div className="grid grid-cols-1 gap-8">
        <PolicyCard />
        <Connections />
        <p className="text-[0.8125rem] text-muted">
          {t.rich('docs', {
            sso: text => (
              <a href="/docs/guides/sso" className="text-accent underline underline-offset-2">
                {text}
              </a>
            ),
            account: text => <TextLink to="/account">{text}</TextLink>,
          })}
        </p>
      </div>
    </SettingsFrame>
  )
}
