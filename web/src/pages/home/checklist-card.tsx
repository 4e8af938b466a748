// What is left of the set-up. It can be put away in this browser.
import { useTranslations } from 'use-intl'
import { type ChecklistStep, checklistSteps, type SetUpState } from '../../api/checklist.ts'
import { buttonClasses, IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { PathLink, TextLink } from '../../ui/text-link.tsx'

const targets: Readonly<
  Record<ChecklistStep, { readonly to: string; readonly search?: Readonly<Record<string, string>> }>
> = {
  company: { to: '/welcome', search: { step: 'company' } },
  people: { to: '/welcome', search: { step: 'people' } },
  design: { to: '/welcome', search: { step: 'design' } },
  publish: { to: '/welcome', search: { step: 'publish' } },
  mailboxes: { to: '/installations' },
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
      {!isDone &&
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

export function ChecklistCard({ checklist, onDismiss }: { checklist: SetUpState; onDismiss: () => void }) {
  const t = useTranslations('home.checklist')
  const count = checklistSteps.filter(step => checklist.done[step]).length
  return (
    <section className="rounded-2xl border border-line bg-card p-5">
      <header className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-base font-semibold">{t('title')}</h2>
          <p className="mt-0.5 text-[0.8125rem] text-muted">
            {t('progress', { count, total: checklistSteps.length })}
          </p>
        </div>
        <IconButton icon="x" label={t('dismiss')} onPress={onDismiss} className="-me-1 -mt-1" />
      </header>
      <div aria-hidden="true" className="mt-3 mb-1 h-1.5 overflow-hidden rounded-full bg-sunken">
        <div
          className="h-full rounded-full bg-accent transition-[width]"
          style={{ width: `${(count / checklistSteps.length) * 100}%` }}
        />
      </div>
      <ol className="divide-y divide-line">
        {checklistSteps.map(step => (
          <Step key={step} step={step} isDone={checklist.done[step]} isNext={step === checklist.next} />
        ))}
      </ol>
    </section>
  )
}
