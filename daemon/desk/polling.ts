// The one warning when the system has no more watches to give, however many files are polled then.
export interface Polling {
  /** @param reason what the system said */
  tell(reason: string): void;
  warning(): string | undefined;
}

/** @param onWarning called when the warning is there */
export const createPolling = (onWarning: () => void): Polling => {
  let warning: string | undefined;
  return {
    tell: (reason) => {
      if (warning !== undefined) return;
      warning = `Changes of files are looked for every 2 s, since the system has no more watches to give (${reason}). Raise fs.inotify.max_user_watches, or close what watches whole trees, and restart metad with \`metad daemon restart\`.`;
      onWarning();
    },
    warning: () => warning,
  };
};
