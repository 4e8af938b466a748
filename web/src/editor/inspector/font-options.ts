// The fonts of texts, the font of the brand first.
import { enums } from '@signoff/render'
import { useTranslations } from 'use-intl'
import { useInspector } from './inspector-data.ts'

export function useFontOptions() {
  const t = useTranslations('editor.inspector')
  const { brand } = useInspector()
  const isOfBrand = (font: string) => font === brand?.font_family
  return [
    ...enums.fontFamily.filter(isOfBrand).map(font => ({ id: font, label: font, hint: t('brandFont') })),
    ...enums.fontFamily.filter(font => !isOfBrand(font)).map(font => ({ id: font, label: font })),
  ]
}
