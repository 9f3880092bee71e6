// hanging: never answers initialize. Argument `stubborn`: ignores stdin end and SIGTERM too.
process.stdin.resume();
if (process.argv[2] === 'stubborn') {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 60_000);
}
