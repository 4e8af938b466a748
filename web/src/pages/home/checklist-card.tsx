// What is left of the set-up. An admin can hide it, for all members.
import type { Checklist } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import {
  type ChecklistStep,
  checklistQuery,
  checklistSteps,
  type SetUpState,
  updateChecklist,
} from '#api/checklist.ts'
import { queryClient } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { buttonClasses, IconButton } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { Icon } from '#ui/base/icon.tsx'
import { PathLink, TextLink } from '#ui/base/text-link.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { useAction } from '#ui/feedback/use-action.ts'

const targets: Readonly<
  Record<ChecklistStep, { readonly to: string; readonly search?: Readonly<Record<string, string>> }>
> = {
  company: { to: '/welcome', search: { step: 'company' } },
  people: { to: '/welcome', search: { step: 'people' } },
  design: { to: '/welcome', search: { step: 'design' } },
  publish: { to: '/welcome', search: { step: 'publish' } },
  recipients: { to: '/signatures' },
  mailboxes: { to: '/installations' },
  domains: { to: '/settings/workspace' },
  members: { to: '/settings/members' },
  mail: { to: '/docs/guides/operating' },
}

const Step = ({ step, isDone, isNext }: { step: ChecklistStep; isDone: boolean; isNext: boolean }) => {
  const t = useTranslations('home.checklist')
  return (
    <li className="flex items-center gap-3 py-2.5">
      <Icon
        name={isDone ? 'circle-check' : 'circle-dashed'}
        size={20}
        className={isDone ? 'text-good' : 'text-muted'}
      />
      <div className="min-w-0 flex-1">
        <p className={classes('font-medium', isDone && 'text-muted line-through')}>
          {t(`steps.${step}.title`)}
          <span className="sr-only">, {isDone ? t('done') : t('open')}</span>
        </p>
        {!isDone && <p className="text-[0.8125rem] text-muted">{t(`steps.${step}.about`)}</p>}
      </div>
      {!isDone && step === 'mail' && (
        <a href={targets.mail.to} className="px-1 text-accent underline underline-offset-2">
          {t('go')}
          <span className="sr-only">: {t('steps.mail.title')}</span>
        </a>
      )}
      {!isDone &&
        step !== 'mail' &&
        (isNext ? (
          <PathLink {...targets[step]} className={buttonClasses('primary', true)}>
            {t('go')}
            <span className="sr-only">: {t(`steps.${step}.title`)}</span>
          </PathLink>
        ) : (
          <TextLink {...targets[step]} className="px-1">
            {t('go')}
            <span className="sr-only">: {t(`steps.${step}.title`)}</span>
          </TextLink>
        ))}
    </li>
  )
}

/** Steps that only admins can do; they are not shown to others. */
const adminSteps: readonly ChecklistStep[] = ['domains', 'members', 'mail']

export function useVisibleSteps(): readonly ChecklistStep[] {
  const isAdmin = useCan()('workspace:write')
  return checklistSteps.filter(step => isAdmin || !adminSteps.includes(step))
}

function DismissButton() {
  const t = useTranslations('home.checklist')
  const shell = useTranslations('shell')
  const dismiss = useAction<boolean, Checklist>(
    () => queryClient.invalidateQueries({ queryKey: checklistQuery.queryKey }),
    { run: dismissed => updateChecklist({ dismissed }) },
  )
  const hide = () =>
    dismiss.mutate(true, {
      onSuccess: () =>
        toast(t('dismissed'), { action: { label: shell('undo'), onPress: () => dismiss.mutate(false) } }),
    })
  return <IconButton icon="x" label={t('dismiss')} onPress={hide} className="-me-1 -mt-1" />
}

export function ChecklistCard({ checklist }: { readonly checklist: SetUpState }) {
  const t = useTranslations('home.checklist')
  const can = useCan()
  const steps = useVisibleSteps()
  const count = steps.filter(step => checklist.done[step]).length
  const next = steps.find(step => !checklist.done[step])
  // After the first publication the list stands above the numbers: what is done would take their place.
  const listed = steps.filter(step => !checklist.done.publish || !checklist.done[step])
  return (
    <section className="rounded-2xl border border-line bg-card p-5">
      <header className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-base font-semibold">{t('title')}</h2>
          <p className="mt-0.5 text-[0.8125rem] text-muted">
            {t('progress', { count, total: steps.length })}
          </p>
        </div>
        {can('workspace:write') && <DismissButton />}
      </header>
      <div aria-hidden="true" className="mt-3 mb-1 h-1.5 overflow-hidden rounded-full bg-sunken">
        <div
          className="h-full rounded-full bg-accent transition-[width]"
          style={{ width: `${(count / steps.length) * 100}%` }}
        />
      </div>
      <ol className="divide-y divide-line">
        {listed.map(step => (
          <Step key={step} step={step} isDone={checklist.done[step]} isNext={step === next} />
        ))}
      </ol>
    </section>
  )
}
