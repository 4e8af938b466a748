import type { Signature, SignatureVariant, SignatureVariantPatch } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { PublishDialog } from '#records/publishing/publish-dialog.tsx'
import { contentOfVariant, makeVariant } from '#records/signatures/make-variant.ts'
import { variantsQuery } from '#records/signatures/preview-state.ts'
import { useSignatureAction } from '#records/signatures/signature-data.ts'
import { saveOverSeen } from '#state/use-edit.ts'
import { Button } from '#ui/base/button.tsx'
import { Badge, Card, LoadState, Notice } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { type MenuEntries, MoreMenu } from '#ui/overlay/menu.tsx'

/** Signatures of their own for replies and for mail inside the company. */
export function VariantsCard({ signature }: { readonly signature: Signature }) {
  const t = useTranslations('signatures')
  const { data, error, refetch } = useQuery(variantsQuery(signature.id))
  return (
    <Card title={t('variants')} about={t('variantsAbout')}>
      <LoadState query={{ data, error, refetch }} lines={2} />
      {data && !data.supported && <Notice>{t('variantsUnsupported')}</Notice>}
      <ul className="grid gap-3">
        {data?.data.map(variant => (
          <VariantRow
            key={variant.kind}
            signature={signature}
            variant={variant}
            isSupported={data.supported}
          />
        ))}
      </ul>
    </Card>
  )
}

type VariantState = 'missing' | 'hidden' | 'active' | 'off' | 'draft'
const stateOf = (variant: SignatureVariant): VariantState => {
  if (!variant.exists) return 'missing'
  if (variant.hidden) return 'hidden'
  if (variant.last_published_at === null) return 'draft'
  return variant.activated ? 'active' : 'off'
}

interface VariantRowProps {
  readonly signature: Signature
  readonly variant: SignatureVariant
  readonly isSupported: boolean
}

function VariantRow({ signature, variant, isSupported }: VariantRowProps) {
  const t = useTranslations('signatures')
  const can = useCan()
  const { kind } = variant
  const state = stateOf(variant)
  const [isRemoving, setIsRemoving] = useState(false)
  const [isPublishing, setIsPublishing] = useState(false)
  const change = useSignatureAction<SignatureVariantPatch>({
    run: patch =>
      saveOverSeen({
        seen: variant,
        patch,
        read: () => api.signatures.variants.get(signature.id, kind),
        save: (changes, options) => api.signatures.variants.update(signature.id, kind, changes, options),
      }),
    done: () => t('saved'),
  })
  const make = useSignatureAction({
    run: () => makeVariant(signature.id, kind, copy.draft_content),
    done: result => t(result === 'found' ? 'variantFound' : 'saved'),
  })
  const remove = useSignatureAction({
    run: () => api.signatures.variants.reset(signature.id, kind),
    done: () => t('variantRemoved'),
    after: () => setIsRemoving(false),
  })
  const copy = { draft_content: signature.draft_content ?? signature.content }
  const entries: MenuEntries = [
    !!variant.draft_content && {
      id: 'publish',
      label: t('variantPublish'),
      onAction: () => setIsPublishing(true),
    },
    { id: 'copy', label: t('variantCopy'), onAction: () => change.mutate(copy) },
    {
      id: 'hide',
      label: variant.hidden ? t('variantShow') : t('variantHide'),
      onAction: () => change.mutate({ hidden: !variant.hidden }),
    },
    variant.last_published_at !== null && {
      id: 'switch',
      label: variant.activated ? t('variantOff') : t('variantOn'),
      onAction: () => change.mutate({ activated: !variant.activated }),
    },
    {
      id: 'campaigns',
      label: variant.show_marketing_campaigns ? t('variantNoCampaigns') : t('variantCampaigns'),
      onAction: () => change.mutate({ show_marketing_campaigns: !variant.show_marketing_campaigns }),
    },
    can('signatures:delete') && {
      id: 'remove',
      label: t('variantRemove'),
      isDangerous: true,
      beginsGroup: true,
      onAction: () => setIsRemoving(true),
    },
  ]
  const canChange = can('signatures:write') && isSupported
  return (
    <li className="flex items-center justify-between gap-2">
      <div className="min-w-0">
        <h3 className="font-medium">{t(`kinds.${kind}`)}</h3>
        <p className="mt-0.5 text-[0.8125rem] text-muted">
          {state === 'missing' ? (
            t('variantStates.missing')
          ) : (
            <Badge variant={state === 'active' ? 'good' : 'neutral'}>{t(`variantStates.${state}`)}</Badge>
          )}
        </p>
      </div>
      {canChange && state === 'missing' && (
        <Button isSmall isPending={make.isPending} onPress={() => make.mutate()}>
          {t('variantMake')}
        </Button>
      )}
      {canChange && state !== 'missing' && (
        <MoreMenu label={t('actionsOf', { name: t(`kinds.${kind}`) })} entries={entries} />
      )}
      {isPublishing && (
        <PublishDialog
          signature={signature}
          variant={kind}
          seen={contentOfVariant(variant)}
          onClose={() => setIsPublishing(false)}
        />
      )}
      <ConfirmDialog
        title={t('variantRemoveTitle', { kind: t(`kinds.${kind}`) })}
        action={t('variantRemove')}
        isOpen={isRemoving}
        onClose={() => setIsRemoving(false)}
        mutation={remove}
      >
        {t('variantRemoveText')}
      </ConfirmDialog>
    </li>
  )
}
