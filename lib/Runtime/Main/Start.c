/*===- Start.c - Where a compiled program begins -------------------------------------===*
 *
 * In: the stack that the kernel and the dynamic loader leave: argc, argv; rdx: what they want to be
 * called at exit. Out: libc runs ptc_main (System V ABI for x86-64, section 3.4.1). Programs are
 * linked without the files of a C compiler; the loader runs what is in DT_INIT_ARRAY.
 *
 *===----------------------------------------------------------------------------===*/
__asm__(".text\n"
        ".globl _start\n"
        ".hidden _start\n"
        ".type _start,@function\n"
        "_start:\n"
        "  xorl %ebp, %ebp\n" /* the outermost frame */
        "  movq %rdx, %r9\n"  /* rtld_fini */
        "  popq %rsi\n"       /* argc */
        "  movq %rsp, %rdx\n" /* argv */
        "  andq $-16, %rsp\n"
        "  pushq %rax\n"
        "  pushq %rsp\n" /* stack_end */
        "  xorl %r8d, %r8d\n"
        "  xorl %ecx, %ecx\n"
        "  leaq ptc_main(%rip), %rdi\n"
        "  call *__libc_start_main@GOTPCREL(%rip)\n"
        "  hlt\n"
        ".size _start, .-_start\n");
