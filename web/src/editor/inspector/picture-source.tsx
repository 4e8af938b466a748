// Where a picture comes from: the library, the photo of the person, or an address.
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { AnyBlock } from '#records/content/block.ts'
import { idOf } from '#records/content/block.ts'
import { Button } from '#ui/base/button.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { useEditor } from '../editor-context.ts'
import { setProperties } from '../model/operations.ts'
import { useInspector } from './inspector-data.ts'

type ImageBlock = Extract<AnyBlock, { type: 'image' }>
type SourceKind = 'sourceAsset' | 'sourceField' | 'sourceUrl'

const kindOf = ({ assetUuid, smartFieldUuid }: ImageBlock): SourceKind => {
  if (assetUuid !== undefined) return 'sourceAsset'
  return smartFieldUuid === undefined ? 'sourceUrl' : 'sourceField'
}

const noSource = { assetUuid: undefined, smartFieldUuid: undefined, src: undefined }

export function PictureSource({ block }: { readonly block: ImageBlock }) {
  const t = useTranslations('editor.inspector')
  const { store } = useEditor()
  const { fields, onPicture } = useInspector()
  const [kind, setKind] = useState<SourceKind>(kindOf(block))
  const [url, setUrl] = useState(block.src ?? '')
  useEffect(() => setKind(kindOf(block)), [block])
  const id = idOf(block)
  const pictures = fields.filter(field => field.kind === 'image')
  const choose = (next: SourceKind) => {
    setKind(next)
    const [field] = pictures
    if (next === 'sourceField' && field)
      store.change(root => setProperties(root, id, { ...noSource, smartFieldUuid: field.id }))
    if (next === 'sourceAsset') onPicture({ blockId: id })
  }
  return (
    <div className="grid gap-2">
      <Select
        label={t('source')}
        isLabelHidden
        value={kind}
        onChange={choose}
        options={(['sourceAsset', 'sourceField', 'sourceUrl'] as const).map(each => ({
          id: each,
          label: t(each),
        }))}
      />
      {kind === 'sourceAsset' && (
        <Button icon="image" onPress={() => onPicture({ blockId: id })}>
          {t('choosePicture')}
        </Button>
      )}
      {kind === 'sourceField' && pictures.length > 1 && (
        <Select
          label={t('field')}
          value={block.smartFieldUuid ?? null}
          onChange={field =>
            store.change(root => setProperties(root, id, { ...noSource, smartFieldUuid: field }))
          }
          options={pictures.map(field => ({ id: field.id, label: field.label }))}
        />
      )}
      {kind === 'sourceUrl' && (
        <TextField
          label={t('sourceUrl')}
          isLabelHidden
          placeholder="https://"
          value={url}
          maxLength={2_048}
          onChange={typed => {
            setUrl(typed)
            // The service fetches no crop or outline of files from other servers.
            store.change(
              root => setProperties(root, id, { ...noSource, src: typed, halo: undefined, crop: undefined }),
              { mergeKey: `src ${id}` },
            )
          }}
        />
      )}
    </div>
  )
}
