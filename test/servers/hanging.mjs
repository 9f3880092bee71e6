// hanging: never answers initialize. Argument `stubborn`: ignores stdin end and SIGTERM too.
process.stdin.resume();
if (process.argv[2] === 'stubborn') {
  process.on('SIGTERM', () => {});
  setTimeout(() => process.exit(), 180_000); // Not for ever, should a test die.
}
