// Replaces a picture everywhere: the new one is chosen, the places are shown, and each says whether it has the new one.
import type { Asset } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { PictureDialog } from '#records/assets/picker/picture-dialog.tsx'
import { useMessageOf } from '#state/error-messages.ts'
import { isStale } from '#state/errors.ts'
import { Button, Spinner } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { TextLink } from '#ui/base/text-link.tsx'
import { Badge, LoadError, Notice, Skeleton } from '#ui/layout/page.tsx'
import { Actions, Dialog } from '#ui/overlay/dialog.tsx'
import { type AssetUse, useAssetUses } from '../asset-uses.ts'
import { type ReplacementOutcome, useReplacement } from './use-replacement.ts'

interface UseRowsProps {
  readonly uses: readonly AssetUse[]
  readonly outcomes: ReadonlyMap<string, ReplacementOutcome>
  readonly mayChange: (use: AssetUse) => boolean
}

/** The places of a picture, each with what became of it. */
function UseRows({ uses, outcomes, mayChange }: UseRowsProps) {
  const t = useTranslations('assets.dialog')
  return (
    <ul className="grid gap-1.5">
      {uses.map(use => (
        <li
          key={use.id}
          className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-lg bg-sunken px-3 py-2 text-sm"
        >
          <span className="min-w-0 flex-1 truncate">
            {use.kind === 'logo' ? t('asLogo') : use.name}{' '}
            {use.kind !== 'logo' && <span className="text-muted">{t(use.kind)}</span>}
          </span>
          <RowState use={use} outcome={outcomes.get(use.id)} isAllowed={mayChange(use)} />
        </li>
      ))}
    </ul>
  )
}

interface RowStateProps {
  readonly use: AssetUse
  readonly outcome: ReplacementOutcome | undefined
  readonly isAllowed: boolean
}

function RowState({ use, outcome, isAllowed }: RowStateProps) {
  const t = useTranslations('assets.replace')
  const messageOf = useMessageOf()
  if (!isAllowed) return <Badge>{t('noRight')}</Badge>
  if (!outcome) return null
  if (outcome.state === 'running') return <Spinner />
  if (outcome.state === 'failed')
    return (
      <span role="alert" className="flex items-center gap-1.5 text-[0.8125rem] text-bad">
        <Icon name="circle-alert" size={15} />
        {isStale(outcome.error) ? t('changedMeanwhile') : messageOf(outcome.error)}
      </span>
    )
  return (
    <span className="flex items-center gap-2">
      {outcome.mustPublish && <TextLink to={use.to}>{t('publish')}</TextLink>}
      <span className="flex items-center gap-1 text-[0.8125rem] text-good">
        <Icon name="circle-check" size={15} />
        {t('done')}
      </span>
    </span>
  )
}

interface ReplaceDialogProps {
  readonly asset: Asset
  readonly onClose: () => void
}

export function ReplaceDialog({ asset, onClose }: ReplaceDialogProps) {
  const t = useTranslations('assets.replace')
  const shell = useTranslations('shell')
  const { data: uses, error, refetch } = useAssetUses(asset)
  const [next, setNext] = useState<Asset>()
  const [isChoosing, setChoosing] = useState(false)
  const { outcomes, isRunning, run, mayChange } = useReplacement(asset.id)
  const possible = (uses ?? []).filter(mayChange)
  const left = possible.filter(({ id }) => outcomes.get(id)?.state !== 'done')
  const hasRun = outcomes.size > 0 && !isRunning
  return (
    <Dialog title={t('title', { name: asset.name })} onClose={onClose} isModalOnly isRunning={isRunning}>
      <div className="grid gap-5">
        <div className="grid items-center gap-3 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
          <Picture asset={asset} caption={t('old')} />
          <Icon name="arrow-right" size={20} className="hidden text-muted sm:block rtl:rotate-180" />
          {next ? (
            <Picture asset={next} caption={t('new')} />
          ) : (
            <Button icon="image" onPress={() => setChoosing(true)}>
              {t('choose')}
            </Button>
          )}
        </div>
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {!uses && !error && asset.in_use && <Skeleton lines={3} />}
        {(uses?.length === 0 || !asset.in_use) && <Notice>{t('nowhere')}</Notice>}
        {uses && uses.length > 0 && (
          <section className="grid gap-2">
            <h3 className="text-[0.8125rem] font-semibold">{t('places', { count: uses.length })}</h3>
            <UseRows uses={uses} outcomes={outcomes} mayChange={mayChange} />
          </section>
        )}
        {hasRun ? <Summary uses={possible} outcomes={outcomes} /> : <Notice>{t('about')}</Notice>}
      </div>
      <Actions>
        {!hasRun && (
          <Button isDisabled={isRunning} onPress={onClose}>
            {shell('cancel')}
          </Button>
        )}
        {next && !hasRun && !isRunning && (
          <Button onPress={() => setChoosing(true)}>{t('chooseOther')}</Button>
        )}
        {left.length > 0 && (
          <Button
            variant="primary"
            isDisabled={!next}
            isPending={isRunning}
            onPress={() => next && void run(left, next)}
          >
            {hasRun ? shell('tryAgain') : t('action', { count: left.length })}
          </Button>
        )}
        {hasRun && (
          <Button variant={left.length > 0 ? 'secondary' : 'primary'} onPress={onClose}>
            {t('close')}
          </Button>
        )}
      </Actions>
      {isChoosing && (
        <PictureDialog
          title={t('choose')}
          role={asset.role ?? undefined}
          onChoose={chosen => {
            setChoosing(false)
            if (chosen.id !== asset.id) setNext(chosen)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </Dialog>
  )
}

const Picture = ({ asset, caption }: { readonly asset: Asset; readonly caption: string }) => (
  <figure className="min-w-0">
    <div className="checkered grid h-32 place-items-center overflow-hidden rounded-xl border border-line p-2">
      <img src={asset.url} alt={asset.name} className="max-h-28 max-w-full object-contain" />
    </div>
    <figcaption className="mt-1 truncate text-xs text-muted">
      {caption}: {asset.name}
    </figcaption>
  </figure>
)

interface SummaryProps {
  readonly uses: readonly AssetUse[]
  readonly outcomes: ReadonlyMap<string, ReplacementOutcome>
}

function Summary({ uses, outcomes }: SummaryProps) {
  const t = useTranslations('assets.replace')
  const done = uses.flatMap(({ id }) => {
    const outcome = outcomes.get(id)
    return outcome?.state === 'done' ? [outcome] : []
  })
  const toPublish = done.filter(({ mustPublish }) => mustPublish)
  const isComplete = done.length === uses.length
  return (
    <div role="status" className="grid gap-2">
      <Notice kind={isComplete ? 'good' : 'warn'}>
        {t('result', { done: done.length, total: uses.length })}
      </Notice>
      {toPublish.length > 0 && (
        <Notice kind="info">
          {t('mustPublish', { count: toPublish.length })}{' '}
          {toPublish.some(({ hasOtherChanges }) => hasOtherChanges) && t('otherChanges')}
        </Notice>
      )}
    </div>
  )
}
