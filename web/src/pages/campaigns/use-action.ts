// A change of campaigns that is one request: then the pages read again, and a toast says that it is done.
import { useMutation } from '@tanstack/react-query'
import { useMessageOf } from '../../api/error-texts.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import { refreshCampaigns } from './campaign-data.ts'

interface CampaignActionOptions<Input, Result> {
  readonly run: (input: Input) => Promise<Result>
  /** The text of the toast. */
  readonly done: (result: Result) => string
  readonly after?: (result: Result) => void
}

export function useCampaignAction<Input = void, Result = unknown>({
  run,
  done,
  after,
}: CampaignActionOptions<Input, Result>) {
  const messageOf = useMessageOf()
  return useMutation<Result, unknown, Input>({
    mutationFn: run,
    onSuccess: async result => {
      toast(done(result))
      after?.(result)
      await refreshCampaigns()
    },
    onError: error => toastError(messageOf(error)),
  })
}
