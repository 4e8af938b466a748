// All keys of the editor, as `?` shows them.
import { useTranslations } from 'use-intl'
import { DialogFrame } from '#ui/overlay/dialog-frame.tsx'
import { keyMap, useKeyNames } from './key-map.ts'

/** Keys of the text editor, and keys that need no listener here. */
const textKeys = [
  ['bold', 'Mod+B'],
  ['italic', 'Mod+I'],
  ['underline', 'Mod+U'],
  ['fields', '{'],
  ['menu', '/'],
  ['toolbar', 'Alt+F10'],
  ['leave', 'Escape'],
] as const

const handleKeys = [
  ['by1', 'ArrowUp'],
  ['by10', 'Shift+ArrowUp'],
  ['standard', 'Delete'],
] as const

interface KeyMapDialogProps {
  readonly onClose: () => void
}

export default function KeyMapDialog({ onClose }: KeyMapDialogProps) {
  const t = useTranslations('editor.keys')
  const actions = useTranslations('editor.actions')
  const names = useKeyNames()
  const groups = [
    ...keyMap.map(({ name, bindings }) => ({
      title: t(`groups.${name}`),
      rows: bindings.map(({ action, keys }) => ({ label: actions(action), keys })),
    })),
    {
      title: t('groups.text'),
      rows: textKeys.map(([name, keys]) => ({ label: t(`text.${name}`), keys: [keys] })),
    },
    {
      title: t('groups.handles'),
      rows: handleKeys.map(([name, keys]) => ({ label: t(`handles.${name}`), keys: [keys] })),
    },
  ]
  return (
    <DialogFrame title={t('title')} onClose={onClose} size="large">
      <div className="gap-8 sm:columns-2">
        {groups.map(({ title, rows }) => (
          <section key={title} className="mb-5 break-inside-avoid">
            <h3 className="mb-1.5 text-[0.8125rem] font-semibold text-muted">{title}</h3>
            <dl className="grid gap-1">
              {rows.map(({ label, keys }) => (
                <div key={label} className="flex min-h-7 items-center justify-between gap-4">
                  <dt className="text-sm">{label}</dt>
                  <dd className="flex gap-2">
                    {keys.map(each => (
                      <Keys key={each} names={names(each)} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </DialogFrame>
  )
}

/** The keys of one combination, each in its own frame. */
const Keys = ({ names }: { readonly names: readonly string[] }) => (
  <span className="flex gap-1">
    {names.map(name => (
      <kbd
        key={name}
        className="min-w-6 rounded-md border border-line bg-sunken px-1.5 py-0.5 text-center font-sans text-xs"
      >
        {name}
      </kbd>
    ))}
  </span>
)
