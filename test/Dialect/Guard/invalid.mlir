// RUN: ptc-opt %s --split-input-file --verify-diagnostics

guard.set @v {
  // expected-error@+1 {{unknown observable 'shape'; valid: type class len}}
  %0 = guard.observe shape "x"
}

// -----

guard.set @v {
  // expected-error@+1 {{'guard.observe' op 'size' needs an index}}
  %0 = guard.observe size "x"
}

// -----

guard.set @v {
  // expected-error@+1 {{'guard.observe' op 'rank' has no index}}
  %0 = guard.observe rank "x"[0]
}

// -----

guard.set @v {
  // expected-error@+1 {{'guard.observe' op 'overlap' needs 'with'}}
  %0 = guard.observe overlap "x"
}

// -----

guard.set @v {
  // expected-error@+1 {{'guard.observe' op 'dtype' needs a path}}
  %0 = guard.observe dtype ""
}

// -----

guard.set @v {
  // expected-error@+1 {{'guard.observe' op 'grad_mode' has no path}}
  %0 = guard.observe grad_mode "x"
}

// -----

guard.set @v {
  %0 = guard.observe rank "x"
  // expected-error@+1 {{unknown guard kind 'ranks'}}
  guard.require ranks eq %0, %0
}

// -----

guard.set @v {
  %0 = guard.observe rank "x"
  // expected-error@+1 {{unknown relation 'equals'; valid: eq ne lt le gt ge}}
  guard.require rank equals %0, %0
}

// -----

guard.set @v {
  // expected-error@+1 {{'scf.execute_region' op does not belong into a guard.set}}
  scf.execute_region {
    scf.yield
  }
}

// -----

// expected-error@+1 {{'guard.observe' op expects parent op 'guard.set'}}
%0 = guard.observe rank "x"
