// One image, large, with what can be done to it.
import type { Asset, AssetPatch, RequestOptions } from '@signoff/sdk'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { type ImageRole, roleIds } from '#records/assets/roles.ts'
import { refreshAssets } from '#records/assets/upload-picture.ts'
import { useEdit } from '#state/use-edit.ts'
import { Button } from '#ui/base/button.tsx'
import { CopyField } from '#ui/base/copy-field.tsx'
import { TextLink } from '#ui/base/text-link.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { TextField } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { Select } from '#ui/form/select.tsx'
import { Actions, ConfirmDialog, Dialog } from '#ui/overlay/dialog.tsx'
import { useAssetUses } from './asset-uses.ts'
import { ReplaceDialog } from './replace/replace-dialog.tsx'

function UseList({ asset }: { readonly asset: Asset }) {
  const t = useTranslations('assets.dialog')
  const { data: uses } = useAssetUses(asset)
  if (!asset.in_use) return <p className="text-muted">{t('unused')}</p>
  if (!uses) return <p className="text-muted">{t('searching')}</p>
  if (uses.length === 0) return <p className="text-muted">{t('usedElsewhere')}</p>
  return (
    <ul className="grid gap-0.5">
      {uses.map(({ id, kind, name, to }) => (
        <li key={id}>
          <TextLink to={to}>{kind === 'logo' ? t('asLogo') : name}</TextLink>{' '}
          {kind !== 'logo' && <span className="text-muted">{t(kind)}</span>}
        </li>
      ))}
    </ul>
  )
}

const kilobytes = { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 } as const

function Facts({ asset }: { readonly asset: Asset }) {
  const t = useTranslations('assets.dialog')
  const format = useFormatter()
  const rows = [
    [t('size'), t('pixels', { width: asset.width, height: asset.height })],
    [t('weight'), format.number(asset.byte_size / 1000, kilobytes)],
    [t('added'), format.dateTime(new Date(asset.created_at), { dateStyle: 'medium' })],
  ] as const
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-[0.8125rem]">
      {rows.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <dt className="text-muted">{t('usedIn')}</dt>
      <dd>
        <UseList asset={asset} />
      </dd>
    </dl>
  )
}

function EditForm({ asset, onClose }: AssetDialogProps) {
  const t = useTranslations('assets')
  const shell = useTranslations('shell')
  const [role, setRole] = useState<ImageRole | 'none'>(asset.role ?? 'none')
  const edit = useEdit({
    seen: asset,
    read: () => api.assets.get(asset.id),
    save: (patch: AssetPatch, options: RequestOptions) => api.assets.update(asset.id, patch, options),
    labelOf: key => t(key === 'role' ? 'dialog.role' : 'dialog.name'),
    textOf: (value, key) =>
      key === 'role' ? t(`roles.${(value as ImageRole | null) ?? 'none'}`) : String(value),
    onDiscard: () => {
      onClose()
      void refreshAssets()
    },
  })
  const save = (form: FormData) =>
    edit({
      name: String(form.get('name') ?? ''),
      role: role === 'none' ? null : role,
    })
  const done = () => {
    void refreshAssets()
    toast(shell('saved'))
    onClose()
  }
  return (
    <Form onSubmit={save} onDone={done}>
      {({ isPending }) => (
        <>
          <TextField
            name="name"
            label={t('dialog.name')}
            defaultValue={asset.name}
            isRequired
            maxLength={200}
          />
          <Select
            label={t('dialog.role')}
            value={role}
            onChange={setRole}
            options={(['none', ...roleIds] as const).map(id => ({ id, label: t(`roles.${id}`) }))}
          />
          <Actions>
            <Button type="submit" variant="primary" isPending={isPending}>
              {shell('save')}
            </Button>
          </Actions>
        </>
      )}
    </Form>
  )
}

function DeleteButton({ asset, onClose }: AssetDialogProps) {
  const t = useTranslations('assets.dialog')
  const shell = useTranslations('shell')
  const [isAsking, setAsking] = useState(false)
  const mutation = useAction(refreshAssets, {
    run: () => api.assets.delete(asset.id),
    done: () => t('deleted', { name: asset.name }),
    after: onClose,
  })
  return (
    <>
      <Button variant="quiet" icon="trash-2" onPress={() => setAsking(true)}>
        {shell('delete')}
      </Button>
      <ConfirmDialog
        title={t('deleteTitle', { name: asset.name })}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action={shell('delete')}
        mutation={mutation}
      >
        <p>{asset.in_use ? t('deleteUsed') : t('deleteUnused')}</p>
        {asset.in_use && (
          <div className="mt-3">
            <UseList asset={asset} />
          </div>
        )}
      </ConfirmDialog>
    </>
  )
}

interface AssetDialogProps {
  readonly asset: Asset
  readonly onClose: () => void
}

export default function AssetDialog({ asset, onClose }: AssetDialogProps) {
  const t = useTranslations('assets.dialog')
  const can = useCan()
  const [isReplacing, setReplacing] = useState(false)
  if (isReplacing) return <ReplaceDialog asset={asset} onClose={onClose} />
  return (
    <Dialog title={asset.name} onClose={onClose} size="large">
      <div className="grid gap-6 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid content-start gap-4">
          <div className="checkered grid min-h-56 place-items-center rounded-xl border border-line p-4">
            <img src={asset.url} alt={asset.name} className="max-h-96 max-w-full object-contain" />
          </div>
          <CopyField label={t('address')} value={asset.url} />
        </div>
        <div className="grid content-start gap-5">
          <Facts asset={asset} />
          {can('assets:write') && <EditForm asset={asset} onClose={onClose} />}
          <div className="flex flex-wrap gap-2">
            {can('assets:write') && asset.in_use && (
              <Button icon="refresh-cw" onPress={() => setReplacing(true)}>
                {t('replace')}
              </Button>
            )}
            {can('assets:delete') && <DeleteButton asset={asset} onClose={onClose} />}
          </div>
          {can('assets:write') && <p className="text-[0.8125rem] text-muted">{t('replaceHint')}</p>}
        </div>
      </div>
    </Dialog>
  )
}
