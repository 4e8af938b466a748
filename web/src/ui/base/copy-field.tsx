// A value to copy: an address for another system, or a secret that is shown once.
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { copyText } from './copy-text.ts'

export function CopyButton({ value, label }: { readonly value: string; readonly label?: string }) {
  const t = useTranslations('shell')
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    await copyText(value)
    setCopied(true)
  }
  return (
    <>
      <Button
        isSmall
        icon={isCopied ? 'check' : 'copy'}
        onPress={() => void copy()}
        {...(label !== undefined && { 'aria-label': `${t('copy')}: ${label}` })}
      >
        {isCopied ? t('copied') : t('copy')}
      </Button>
      <span role="status" className="sr-only">
        {isCopied ? t('copied') : ''}
      </span>
    </>
  )
}

interface CopyFieldProps {
  readonly label: string
  readonly value: string
  readonly isSecret?: boolean
}

export const CopyField = ({ label, value, isSecret = false }: CopyFieldProps) => (
  <div>
    <p className="mb-1 text-[0.8125rem] font-medium">{label}</p>
    <div className="flex flex-wrap items-center justify-end gap-2 rounded-lg border border-line bg-sunken py-1.5 ps-3 pe-1.5">
      <code
        className={classes(
          // Beside a narrow text the button takes a line of its own.
          'min-w-0 flex-1 basis-48 text-[0.8125rem] wrap-anywhere select-all',
          isSecret && 'font-medium',
        )}
      >
        {value}
      </code>
      <CopyButton value={value} label={label} />
    </div>
  </div>
)
